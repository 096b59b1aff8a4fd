import { useLingui } from '@lingui/react/macro';
import type { TextErrorClass } from '#contract/queue.ts';

/** Why a text failed, in few words and with what to do next. */
export function useTextWords() {
  const { t } = useLingui();
  const reasons: Record<TextErrorClass, string> = {
    'opted-out': t`this number asked for no more texts (STOP)`,
    'bad-number': t`this number cannot get texts`,
    sender: t`the office’s own number may not send`,
    rate: t`too many texts at once`,
    delivery: t`the phone could not be reached`,
    other: t`the carrier refused it`,
  };
  const next: Record<TextErrorClass, string> = {
    'opted-out': t`This number has opted out of texts (STOP). Please call the patient or get them in person.`,
    'bad-number': t`This number cannot get texts. Please check it, or call the patient.`,
    sender: t`The carrier does not let your office’s number send. Please call the patient, and tell your operator.`,
    rate: t`Too many texts at once. Please try again in a few minutes.`,
    delivery: t`The phone could not be reached. Please try again, or call the patient.`,
    other: t`The carrier refused the text. Please call the patient.`,
  };
  return {
    reason: (problem: TextErrorClass | null) => reasons[problem ?? 'other'],
    why: (problem: TextErrorClass | null) => next[problem ?? 'other'],
  };
}
