import { t } from '@lingui/core/macro';
import type { TextBlock, TextProblem, TextState } from '#contract/queue.ts';
import { serverNow } from '#web/kit/clock.ts';
import { waitMessage } from '#web/kit/error-messages.ts';
import type { FollowedText } from './follow-text.ts';

/** Why a text failed or was held back, as part of a sentence. */
export function textErrorReason(problem: TextProblem | null): string {
  const reasons: Record<TextProblem, string> = {
    'opted-out': t`this number opted out of our texts (STOP)`,
    'bad-number': t`this number cannot get texts`,
    landline: t`this is a landline and cannot get texts`,
    sender: t`your practice’s number can’t send texts`,
    rate: t`too many texts at once`,
    delivery: t`the phone could not be reached`,
    other: t`the phone carrier refused it`,
    'practice-hour': t`your practice has reached its limit of texts for this hour`,
    'number-hour': t`this number has reached its limit of texts for this hour`,
    'number-day': t`this number has reached its limit of texts for the day`,
    'unconfirmed-day': t`your practice is not confirmed yet and has reached its limit of texts for today`,
    'unconfirmed-all': t`new practices that are not confirmed can’t send more texts today`,
    'after-appointment': t`it would go out after the appointment`,
    'practice-limited': t`your practice has to be confirmed again`,
  };
  return reasons[problem ?? 'other'];
}

/** Why a number gets no texts, as a mark of a patient says it. */
export function textBlockName(block: TextBlock): string {
  return block === 'opted-out' ? t`Opted out of texts (STOP)` : t`This is a landline and cannot get texts`;
}

/** Why a text in this state did not go out or is held back, as part of a sentence; null for one that did, or that still may. */
export function textReason(state: TextState | 'scheduled' | 'stopped', problem: TextProblem | null): string | null {
  if (state === 'held' && problem === null) return t`it could not be sent in time`;
  if (state === 'cancelled') return t`it was canceled`;
  if (state === 'unknown') return t`the phone carrier cannot tell whether it was delivered`;
  return state === 'failed' || state === 'stopped' || state === 'held' ? textErrorReason(problem) : null;
}

/** Why a text failed or was held back, what to do, and when a limit allows the next one. */
export function textErrorAdvice({ problem, limitedUntil }: Pick<FollowedText, 'problem' | 'limitedUntil'>): string {
  const advice: Record<TextProblem, string> = {
    'opted-out': t`This number has opted out of texts (STOP). Please call the patient, or speak to them in person.`,
    'bad-number': t`This number cannot get texts. Please check it, or call the patient.`,
    landline: t`This is a landline and cannot get texts. Please call the patient, or ask for a mobile number.`,
    sender: t`Your practice’s number can’t send texts right now. Call the patient and tell your IT contact.`,
    rate: t`Too many texts at once. Please try again in a few minutes.`,
    delivery: t`The phone could not be reached. Please try again, or call the patient.`,
    other: t`The phone carrier refused the text. Please call the patient.`,
    'practice-hour': t`Your practice has reached its limit of texts for this hour. Please call the patient.`,
    'number-hour': t`This number has reached its limit of texts for this hour. Please call the patient.`,
    'number-day': t`This number has reached its limit of texts for the day. Please call the patient.`,
    'unconfirmed-day': t`Your practice is not confirmed yet and has reached its limit of texts for today. Please call the patient, or press “Confirm your practice” at the top of the page.`,
    'unconfirmed-all': t`New practices that are not confirmed can’t send more texts today. Please call the patient, or press “Confirm your practice” at the top of the page.`,
    'after-appointment': t`This text would go out after the appointment. Please call the patient.`,
    'practice-limited': t`Your practice has to be confirmed again before it can send texts you write yourself. Please call the patient, or press “Confirm your practice” at the top of the page.`,
  };
  return withWait(advice[problem ?? 'other'], limitedUntil);
}

/** Adds when a limit allows the next text, unless that time has come. */
export function withWait(message: string, limitedUntil: string | null, now = serverNow()): string {
  const seconds = limitedUntil === null ? 0 : Math.ceil((Date.parse(limitedUntil) - now) / 1000);
  return seconds > 0 ? `${message} ${waitMessage(seconds)}` : message;
}
