/**
 * The gate: what a person must do before they may see an office's data.
 *
 * A pure function: the server refuses by it and the panel navigates by it.
 */
import * as z from 'zod/mini';

export const Gate = z.object({
  /** Where `/` leads; null if that page does not exist yet or nothing is left to do. */
  to: z.string(),
  /** The branch of the gate that was taken. */
  because: z.enum([
    'signed-out',
    'locked',
    'no-office',
    'choose-office',
    'agreement-missing',
    'authenticator-missing',
    'payments-question',
    'sms-mode',
    'ambulatory',
    'checkin-disabled',
    'ready',
  ]),
});
export type Gate = z.output<typeof Gate>;

/** The facts the gate decides by. */
export interface GateFacts {
  signedIn: boolean;
  locked: boolean;
  /** How many offices the person belongs to. */
  memberOf: number;
  /** The active office; null if there is none, or the requested one is not theirs. */
  office: null | {
    hellosignComplete: boolean;
    authenticatorMissing: boolean;
    paymentsQuestionCompleted: boolean;
    emr: string;
    /** Where it registered: `regular`, or the partner's name. */
    onboardingType: string;
    smsMode: boolean;
    ambulatory: boolean;
  };
  disableCheckin: boolean;
  /** This installation has a payment provider. */
  paymentsOffered: boolean;
}

/** The only page a person may be on right now. The server refuses by it and the panel navigates by it. */
export function gate(facts: GateFacts): Gate {
  if (!facts.signedIn) return { to: '/', because: 'signed-out' };
  if (facts.locked) return { to: '/', because: 'locked' };
  const { office } = facts;
  if (!office) return { to: '/', because: facts.memberOf > 0 ? 'choose-office' : 'no-office' };
  if (!office.hellosignComplete) return { to: signingPath(office), because: 'agreement-missing' };
  if (office.authenticatorMissing) return { to: '/', because: 'authenticator-missing' };
  const isAsked = office.emr === 'AthenaOne' && !office.paymentsQuestionCompleted;
  if (isAsked && facts.paymentsOffered) return { to: '/', because: 'payments-question' };
  if (office.smsMode) return { to: '/sms-dashboard', because: 'sms-mode' };
  if (office.ambulatory) return { to: '/dashboard/patients', because: 'ambulatory' };
  if (facts.disableCheckin) return { to: '/dashboard/forms', because: 'checkin-disabled' };
  return { to: '/dashboard', because: 'ready' };
}

/** A partner's office signs on the partner's pages, all others on the regular ones. */
function signingPath({ onboardingType }: { onboardingType: string }): string {
  return onboardingType === 'regular' ? '/' : `/${onboardingType}/signhipaa`;
}

/** Whether this person may see an office's data. The server checks this on every call. */
export function mayEnterOffice(office: { hellosignComplete: boolean; authenticatorMissing: boolean } | null): boolean {
  return office !== null && office.hellosignComplete && !office.authenticatorMissing;
}
