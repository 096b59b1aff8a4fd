import type { TextErrorClass } from '#contract/queue.ts';
import type { TextReport } from '#contract/texting.ts';

/** How a text fared, as far as the carrier can say. */
export interface SmsReport {
  providerId: string;
  state: TextReport['state'];
  errorClass: TextErrorClass | null;
}

/** Thrown by `send` when the carrier surely did not take the text; anything else thrown leaves its fate unknown. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused';
  readonly errorClass: TextErrorClass;
  /** The same text may be taken a little later (the carrier is busy, or could not be reached at all). */
  readonly tryAgain: boolean;
  constructor(errorClass: TextErrorClass, { tryAgain = errorClass === 'rate' } = {}) {
    super(`text refused: ${errorClass}`);
    this.errorClass = errorClass;
    this.tryAgain = tryAgain;
  }
}

/** Thrown by `readCallback` when the call is not the carrier's, was changed on its way or is too old. */
export class SmsForged extends Error {
  override readonly name = 'SmsForged';
}

/** A call to one of our webhook routes, as it came in. */
export interface CarrierCall {
  headers: Record<string, string | string[] | undefined>;
  rawBody: Buffer;
  /** Path and query of the request. */
  url: string;
}

/** What we need from whoever carries our texts. Phones are E.164. */
export interface Sms {
  /** Which carrier it is; `local` is the stand-in. */
  readonly name: string;
  /**
   * Hands one text over, once. `reference` is ours and comes back in reports and from `find`; `signal` ends the waiting, not the text.
   * Throws SmsRefused for a sure no, anything else for an unknown fate.
   */
  send(
    text: { from: string; to: string; body: string; reference: string },
    signal?: AbortSignal,
  ): Promise<{ providerId: string }>;
  /** Looks a text up by what we know of it; null when the carrier surely never took it. Throws when it cannot say. */
  find(text: { from: string; to: string; reference: string; after: Date }): Promise<SmsReport | null>;
  /** Rents a number for a new office's texts, out of those `isFree` agrees to; E.164. */
  takeNumber(isFree: (number: string) => Promise<boolean>): Promise<string>;
  /** Checks that a call is the carrier's (throws SmsForged) and says it in the contract's words (TextReport, TextReply), unchecked. */
  readCallback(call: CarrierCall): unknown;
}
