import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Plan } from '#contract/membership.ts';

export const planNames: Record<Plan, MessageDescriptor> = { pilot: msg`Pilot`, lite: msg`Lite`, prime: msg`Prime` };

/** What a plan adds to the one before it. */
export const planFeatures: Record<
  Plan,
  { includes: MessageDescriptor | null; features: readonly MessageDescriptor[] }
> = {
  pilot: {
    includes: null,
    features: [
      msg`Waiting room management`,
      msg`COVID-19 screening`,
      msg`Demographic collection`,
      msg`Insurance information collection`,
      msg`Multi language`,
    ],
  },
  lite: {
    includes: msg`Everything in Pilot, and:`,
    features: [msg`Custom health history forms`, msg`Partner surveys`],
  },
  prime: { includes: msg`Everything in Lite, and:`, features: [msg`PMS/EHR integration`] },
};
