/**
 * Card payments by patients.
 *
 * payments question: asked once, after the agreement, of an office that uses AthenaOne: does it want card payments?
 * hosted forms: the payment provider's own application pages. Without them in this installation there is no link.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const skipPayments = endpoint({
  method: 'POST',
  path: '/payments/merchant/skip',
  summary: 'Answers the payments question with no; payments can be turned on later in the settings',
  access: 'office',
  audit: 'settings.change',
  reply: z.object({ paymentsQuestionCompleted: z.boolean() }),
});

export const openMerchantForms = endpoint({
  method: 'POST',
  path: '/payments/merchant/onboarding-forms',
  summary:
    'Answers the payments question with yes: stores the request and returns the link to the hosted forms, if any',
  access: 'office',
  audit: 'settings.change',
  reply: z.object({
    /** Null while this installation has no hosted forms. */
    onboarding_link: z.nullable(z.object({ link_url: z.string() })),
    paymentsQuestionCompleted: z.boolean(),
  }),
});
