/**
 * Card payments by patients.
 *
 * payments question: asked once of an office whose software is AthenaOne, after the agreement: does it want card payments?
 * hosted forms: the payment provider's own pages where a practice applies. Until an installation has them there is no link.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const skipPayments = endpoint({
  method: 'POST',
  path: '/payments/merchant/skip',
  summary: 'Answers the payments question with no; it can be taken up in the settings later',
  access: 'office',
  audit: 'settings.change',
  reply: z.object({ paymentsQuestionCompleted: z.boolean() }),
});

export const openMerchantForms = endpoint({
  method: 'POST',
  path: '/payments/merchant/onboarding-forms',
  summary:
    'Answers the payments question with yes: the wish is kept, and the link to the hosted forms given where there are any',
  access: 'office',
  audit: 'settings.change',
  reply: z.object({
    /** Null as long as this installation has no hosted forms. */
    onboarding_link: z.nullable(z.object({ link_url: z.string() })),
    paymentsQuestionCompleted: z.boolean(),
  }),
});
