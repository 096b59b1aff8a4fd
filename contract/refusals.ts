import { ambulatoryRefusals } from './refusals/ambulatory.ts';
import { formRefusals } from './refusals/forms.ts';
import { paymentRefusals } from './refusals/payments.ts';
import { practiceRefusals } from './refusals/practice.ts';
import { requestRefusals } from './refusals/requests.ts';
import { signInRefusals } from './refusals/sign-in.ts';
import { textingRefusals } from './refusals/texts.ts';
import { visitRefusals } from './refusals/visits.ts';

/** Every refusal this product can answer with: its HTTP status, and the text the person reads. No code is in two subjects. */
export const refusals = {
  ...requestRefusals,
  ...signInRefusals,
  ...practiceRefusals,
  ...visitRefusals,
  ...textingRefusals,
  ...formRefusals,
  ...paymentRefusals,
  ...ambulatoryRefusals,
};

export type RefusalCode = keyof typeof refusals;

/** Problem details (RFC 9457) `type` of a refusal. It is stable, so callers may branch on it. */
export function problemType(code: RefusalCode | 'bug'): string {
  return `urn:anteroom:problem:${code}`;
}
