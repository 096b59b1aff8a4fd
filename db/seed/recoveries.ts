import type { SurveyType } from '#contract/ambulatory/shapes.ts';
import type { Language } from '#contract/shapes.ts';

/** A patient after surgery at Summit. */
export interface Recovery {
  name: string;
  language?: Language;
  /** Which day after the surgery today is; null for an invitation that was not answered yet. */
  day: number | null;
  /** Pain at rest and moving, for each survey that was asked; null for one that was not answered. */
  pain?: ([number, number] | null)[];
  /** In place of the newest survey's answers: the wound looks bad, and it hurts. */
  worse?: true;
  /** Pressed "Please call me" so many minutes ago. */
  callMe?: number;
  /** Answered the satisfaction survey too. */
  satisfied?: true;
  notes?: string;
}

/**
 * Fourteen patients on different days, two of whom wait for a nurse's call, and two invitations. Each survey of a day has enough answers
 * for a median.
 */
export const summitRecoveries: readonly Recovery[] = [
  { name: 'Harold Finch', day: 2, pain: [[4, 5]], worse: true },
  {
    name: 'Rosa Delgado',
    language: 'es',
    day: 4,
    pain: [[5, 6]],
    callMe: 18,
    notes: 'Knee arthroscopy, left. Daughter drives her to the check-up.',
  },
  { name: 'Winston Clarke', day: 0 },
  { name: 'Mei Tanaka', day: 0 },
  { name: 'Gloria Simmons', day: 1, pain: [[4, 6]] },
  { name: 'Peter Novak', day: 1 },
  { name: 'Aisha Rahman', day: 2, pain: [[3, 5]] },
  {
    name: 'Leon Baptiste',
    day: 3,
    pain: [
      [3, 6],
      [2, 5],
    ],
  },
  {
    name: 'Irene Kowalski',
    day: 10,
    pain: [null, [3, 5], [1, 3], [1, 2]],
  },
  {
    name: 'Samuel Ortega',
    language: 'es',
    day: 11,
    pain: [null, [3, 5], [2, 4], [0, 2]],
  },
  {
    name: 'Beth Lindgren',
    day: 7,
    pain: [
      [4, 6],
      [3, 5],
      [2, 4],
      [1, 2],
    ],
    notes: 'Stitches come out on day 10.',
  },
  {
    name: 'Dmitri Volkov',
    day: 8,
    pain: [null, [3, 4], [2, 3], [1, 1]],
  },
  {
    name: 'Nora Whitfield',
    day: 9,
    pain: [
      [2, 4],
      [2, 3],
      [1, 2],
      [0, 1],
    ],
    satisfied: true,
  },
  {
    name: 'Calvin Brooks',
    day: 12,
    pain: [
      [2, 2],
      [2, 2],
      [1, 2],
      [0, 0],
    ],
    satisfied: true,
  },
  { name: 'Janet Osei', day: null },
  { name: 'Pablo Herrera', language: 'es', day: null },
];

const chosen = (...codes: string[]) => codes.map((code) => ({ system: 'urn:anteroom:answers', code }));

/** The answers to one survey; null if it was not answered. `nth`: the how many-th survey it is, `isNewest`: none was asked after it. */
export function answersTo(
  { pain = [], worse, satisfied }: Recovery,
  { type, nth, isNewest }: { type: SurveyType; nth: number; isNewest: boolean },
): Record<string, unknown[]> | null {
  if (type === 'ambu-satisfaction') return satisfied ? satisfaction : null;
  const isWorse = worse === true && isNewest;
  const scores = isWorse ? [6, 8] : pain[nth];
  if (!scores) return null;
  return {
    'stationary-pain-score': scores.slice(0, 1),
    'movement-pain-score': scores.slice(1),
    'pain-medicine': [isWorse],
    ...(isWorse && { 'pain-medicine-helps': chosen('some'), notes: ['The left side is warm and it throbs.'] }),
    'signs-today': isWorse ? chosen('redness') : chosen('none'),
    'nurse-callback': [false],
  };
}

const satisfaction = {
  'overall-rating': chosen('excellent'),
  'staff-rating': chosen('excellent'),
  prepared: chosen('strongly-agree'),
  'pain-managed': chosen('agree'),
  instructions: chosen('agree'),
  reachable: chosen('strongly-agree'),
  recommend: [9],
  'did-well': ['The nurses called every time I worried.'],
  'may-contact': [true],
};
