/** What the answers of a survey mean: by the linkIds of the built-in questionnaire, which an office's own one may use too. */
import type { Advice } from './episode.ts';

/** Integers from 0 to 10. */
export const painLinkIds = { stationary: 'stationary-pain-score', movement: 'movement-pain-score' } as const;
/** A yes raises a callback. */
export const callMeLinkId = 'nurse-callback';
/** When the patient wants to be called. */
export const callTimeLinkId = 'callback-time';

/** Answers to the question about warning signs, and what the patient should do now. Each raises a callback. */
export const redFlags: Readonly<Record<string, Readonly<Record<string, Exclude<Advice, 'none'>>>>> = {
  'signs-today': {
    breath: 'call-911',
    bleeding: 'call-911',
    fever: 'call-office',
    discharge: 'call-office',
    redness: 'call-office',
    numbness: 'call-office',
  },
};
