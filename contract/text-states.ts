/** What becomes of a text. */
import * as z from 'zod/mini';

/** States of a text: `queued` and `held` may still be cancelled; `unknown` is shown, never blindly resent. */
export const TextState = z.enum(['queued', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'held', 'cancelled']);
export type TextState = z.output<typeof TextState>;

/** Why a text failed, in the carrier's terms. */
const textErrorClasses = ['opted-out', 'bad-number', 'landline', 'sender', 'rate', 'delivery', 'other'] as const;
export const TextErrorClass = z.enum(textErrorClasses);
export type TextErrorClass = z.output<typeof TextErrorClass>;

/** Why a practice cannot text a number at all: it sent STOP, or the carrier reported it as a landline. */
export const TextBlock = z.enum(['opted-out', 'landline'] satisfies TextErrorClass[]);
export type TextBlock = z.output<typeof TextBlock>;

/**
 * Which of our limits held a text back: the practice's hour, the number's hour or day, the day of a practice that is not confirmed, or of all
 * such practices together.
 */
export const textLimitNames = [
  'practice-hour',
  'number-hour',
  'number-day',
  'unconfirmed-day',
  'unconfirmed-all',
] as const;
export type TextLimitName = (typeof textLimitNames)[number];

/**
 * Why a text failed or is held back. `after-appointment`: it could no longer go out before its appointment. `practice-limited`: the operator
 * limited the practice while it waited.
 */
const textProblems = [...textErrorClasses, ...textLimitNames, 'after-appointment', 'practice-limited'] as const;
export const TextProblem = z.enum(textProblems);
export type TextProblem = z.output<typeof TextProblem>;
