import { useLingui } from '@lingui/react/macro';
import type { TextErrorClass } from '#contract/queue.ts';

/** Explains why a text failed: a short reason, and advice on what to do. */
export function useTextErrorMessage() {
  const { t } = useLingui();
  const reasons: Record<TextErrorClass, string> = {
    'opted-out': t`this number opted out of our texts (STOP)`,
    'bad-number': t`this number cannot get texts`,
    sender: t`your practice’s number can’t send texts`,
    rate: t`too many texts at once`,
    delivery: t`the phone could not be reached`,
    other: t`the carrier refused it`,
  };
  const next: Record<TextErrorClass, string> = {
    'opted-out': t`This number has opted out of texts (STOP). Please call the patient or get them in person.`,
    'bad-number': t`This number cannot get texts. Please check it, or call the patient.`,
    sender: t`Your practice’s number can’t send texts right now. Call the patient and tell your IT contact.`,
    rate: t`Too many texts at once. Please try again in a few minutes.`,
    delivery: t`The phone could not be reached. Please try again, or call the patient.`,
    other: t`The carrier refused the text. Please call the patient.`,
  };
  return {
    reason: (problem: TextErrorClass | null) => reasons[problem ?? 'other'],
    why: (problem: TextErrorClass | null) => next[problem ?? 'other'],
  };
}
