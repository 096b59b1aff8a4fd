/** How a text fared, in our words. */
export type SmsState = 'sent' | 'delivered' | 'failed';

export interface SmsReport {
  providerId: string;
  state: SmsState;
  /** Why it failed, as a class of ours (`opted-out`, `bad-number`, `sender`, `rate`, `delivery`, `other`). */
  errorClass: string | null;
}

/** Thrown by `send` when the carrier surely did not take the text; anything else thrown leaves its fate unknown. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused';
  readonly errorClass: string;
  constructor(errorClass: string) {
    super(`text refused: ${errorClass}`);
    this.errorClass = errorClass;
  }
}

/** What we need from whoever carries our texts. Phones are E.164. */
export interface Sms {
  /** Hands one text over, once. `reference` is ours; throws SmsRefused for a sure no, anything else for an unknown fate. */
  send(text: { from: string; to: string; body: string; reference: string }): Promise<{ providerId: string }>;
  /** Looks a text up by what we know of it; null when the carrier surely never took it. Throws when it cannot say. */
  find(text: { from: string; to: string; reference: string; after: Date }): Promise<SmsReport | null>;
}
