import type { TextErrorClass } from '#contract/queue.ts';
import type { TextReport } from '#contract/texting.ts';
import type { Limit } from '#server/kit/http/rate-limits.ts';

/** A text's delivery status, as far as the carrier can tell. */
export interface SmsReport {
  providerId: string;
  state: TextReport['state'];
  errorClass: TextErrorClass | null;
}

/** Thrown by `send` if the carrier definitely did not accept the text; after any other error its status is unknown. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused';
  readonly errorClass: TextErrorClass;
  /** A retry may succeed (the carrier is busy or unreachable). */
  readonly tryAgain: boolean;
  constructor(errorClass: TextErrorClass, { tryAgain = errorClass === 'rate' } = {}) {
    super(`text refused: ${errorClass}`);
    this.errorClass = errorClass;
    this.tryAgain = tryAgain;
  }
}

/** Thrown by `readCallback` if the call is not the carrier's, was tampered with or is too old. */
export class SmsSignatureInvalid extends Error {
  override readonly name = 'SmsSignatureInvalid';
}

/** Thrown by `fetchMedia` if the file can never be had; after any other error it may be asked for again. */
export class MediaRefused extends Error {
  override readonly name = 'MediaRefused';
  readonly problem: 'too-large' | 'unavailable';
  constructor(problem: MediaRefused['problem']) {
    super(`media refused: ${problem}`);
    this.problem = problem;
  }
}

/** A request to one of our webhook routes. */
export interface CarrierCall {
  headers: Record<string, string | string[] | undefined>;
  rawBody: Buffer;
  /** Path and query of the request. */
  url: string;
}

/** A text that may have been sent: its worker died, or the carrier did not answer. */
export interface LookedUpText {
  from: string;
  to: string;
  /** The body that was sent; empty if it is no longer known. */
  body: string;
  reference: string;
  /** When it was claimed, and its age by the database's clock, so that a jump of this machine's clock changes nothing. */
  after: Date;
  ageMs: number;
}

/** Our other texts between the same two numbers, from the ledger. */
export interface OtherTexts {
  providerIds: ReadonlySet<string>;
  /** True if one of them has the same body and an unknown fate. */
  undecidedTwin: boolean;
}

/** The practice that a number is rented for. */
export interface NumberOrder {
  /** The same practice always has the same key, so a retry continues where the first try stopped. */
  key: string;
  /** The practice's location: a local area code is preferred. */
  state: string;
  zip: string;
  /** The number this order returned before, if another practice has it now. */
  taken: string | null;
  /** Counted before a number is bought; a resumed order counts once. Empty if the operator vouches for the practice. */
  budgets: readonly (readonly [Limit, string])[];
}

/** Thrown by `takeNumber` if one of the order's budgets is used up. Nothing was bought. */
export class NumbersUsedUp extends Error {
  override readonly name = 'NumbersUsedUp';
  readonly limit: string;
  constructor(limit: string) {
    super(`no number is rented now: ${limit} is used up`);
    this.limit = limit;
  }
}

/** What we need from an SMS carrier. Phone numbers are E.164. */
export interface Sms {
  /** The carrier's name; `local` is the stand-in. */
  readonly name: string;
  /** How to answer the carrier's webhook calls, if it requires a special answer. */
  readonly callbackReply?: { contentType: string; body: string };
  /**
   * Sends one text, once. `reference` is ours; reports return it. `signal` stops the waiting, not the text. Throws SmsRefused if it was
   * definitely not sent, and any other error if that is unknown.
   */
  send(
    text: { from: string; to: string; body: string; reference: string },
    signal?: AbortSignal,
  ): Promise<{ providerId: string }>;
  /**
   * Looks a text up; null if the carrier definitely never received it. Throws if it cannot tell. Call `others` only after the carrier has
   * answered: then the ledger knows every text that the answer can contain.
   */
  find(text: LookedUpText, others: (since: Date) => Promise<OtherTexts>): Promise<SmsReport | null>;
  /**
   * Rents a number for a practice's texts, one that `isFree` accepts; E.164. May spend money and take seconds, so never call it inside a
   * database transaction. The same order returns the same number again, unless that is `taken`. Throws NumbersUsedUp.
   */
  takeNumber(order: NumberOrder, isFree: (number: string) => Promise<boolean>): Promise<string>;
  /** Whether the carrier itself confirms this STOP (and refuses every text after it) or this START. Without it, we confirm. */
  confirmsKeyword?(body: string): boolean;
  /**
   * Fetches a file that came with a text, from the `source` that `readCallback` named. Throws MediaRefused if the carrier does not have it, or
   * if it has more bytes than `maxBytes`.
   */
  fetchMedia(source: string, limits: { maxBytes: number; signal: AbortSignal }): Promise<Buffer>;
  /** Verifies a webhook call (throws SmsSignatureInvalid) and translates it to the contract's shape (TextReport, TextReply), unvalidated. */
  readCallback(call: CarrierCall): unknown;
}
