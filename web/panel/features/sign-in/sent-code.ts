import { formatPhone } from '#web/kit/format.tsx';
import { serverNow } from '#web/kit/clock.ts';

/** A code that is on its way. */
export interface SentCode {
  /** Where it went, as people write it. */
  to: string;
  expiresAt: string;
  /** When another may be asked for, ms by the server's clock. */
  resendAt: number;
}

export function sentCode(to: string, answer: { expiresAt: string; resendAfterSeconds: number }): SentCode {
  return {
    to: to.includes('@') ? to : formatPhone(to),
    expiresAt: answer.expiresAt,
    resendAt: serverNow() + answer.resendAfterSeconds * 1000,
  };
}
