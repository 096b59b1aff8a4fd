import { formatPhone } from '#contract/phone-format.ts';
import { serverNow } from '#web/kit/clock.ts';

/** A confirmation code that was sent. */
export interface SentCode {
  /** The recipient, formatted for the screen. */
  to: string;
  expiresAt: string;
  /** When another code can be requested, ms by the server's clock. */
  resendAt: number;
}

export function sentCode(to: string, answer: { expiresAt: string; resendAfterSeconds: number }): SentCode {
  return {
    to: formatPhone(to),
    expiresAt: answer.expiresAt,
    resendAt: serverNow() + answer.resendAfterSeconds * 1000,
  };
}
