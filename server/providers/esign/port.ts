/** Where a request for one signature stands, in our words. Everything but `open` is final. */
export type SigningState = 'open' | 'signed' | 'declined' | 'expired' | 'canceled' | 'failed';

/** One document waiting for one signature, as the provider now has it. */
export interface SigningRequest {
  requestId: string;
  state: SigningState;
  /** Ours, as it was given to `create`; null when the provider has none. */
  reference: string | null;
  signer: { name: string; email: string };
  viewedAt: Date | null;
  signedAt: Date | null;
  declineReason: string | null;
}

/** A part of a document as text: a heading, or a paragraph with the mark of its clause. */
export interface ReadablePart {
  heading?: string;
  mark?: string;
  text?: string;
}

/** An event as its callback tells it: a hint to look at the request. Nothing in it is believed. */
export interface EsignEvent {
  /** The same event told again has the same key (for Dropbox Sign: type, time and request id). At most 200 characters. */
  key: string;
  /** What happened, in the provider's own word; kept for the record. At most 60 characters. */
  type: string;
  /** Null for events about no request (a test of the callback address, an account). */
  requestId: string | null;
}

/** A call to our callback route, as it came in. */
export interface EsignCall {
  headers: Record<string, string | string[] | undefined>;
  rawBody: Buffer;
  /** Path and query of the request. */
  url: string;
}

/** What the browser needs to open a link of this provider. */
export type EsignClient =
  /** The link is a page: it may be shown in a frame or a tab of its own. */
  | { kind: 'page' }
  /** The link works only inside the vendor's embedded client. */
  | { kind: 'dropbox-sign'; clientId: string; skipDomainVerification: boolean };

/** Why a provider said no; `not-ready`: the same call will work a little later (the file is being made). */
export type EsignReason =
  | 'unauthorized'
  | 'payment'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'rate'
  | 'not-ready'
  | 'invalid'
  | 'unreachable'
  | 'other';

/** Thrown by every verb when the provider did not do it. `tryAgain`: the same call may work later. */
export class EsignRefused extends Error {
  override readonly name = 'EsignRefused';
  readonly reason: EsignReason;
  readonly tryAgain: boolean;
  readonly retryAfterSeconds: number | undefined;
  constructor(reason: EsignReason, retryAfterSeconds?: number) {
    super(`e-signature refused: ${reason}`);
    this.reason = reason;
    this.tryAgain = reason === 'rate' || reason === 'not-ready' || reason === 'unreachable' || reason === 'conflict';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Thrown by `readCallback` when the call is not the provider's, was changed on its way or is too old. */
export class EsignForged extends Error {
  override readonly name = 'EsignForged';
}

/** What we need from whoever takes signatures: one document, one signer, a one-use link, the sealed PDF. */
export interface Esign {
  /** Which provider it is: the `{esign}` of our paths, so lower-case letters and dashes; `local` is the stand-in. */
  readonly name: string;
  readonly client: EsignClient;
  /** Where the browser's frame and scripts may load from besides ourselves, as CSP sources; empty for `local`. */
  readonly frameSources: readonly string[];
  /** The exact body with which the provider wants its callback answered (status 200). */
  readonly callbackReply: { contentType: string; body: string };

  /**
   * Asks for one signature on one PDF. `reference` is ours (`officeId.agreementId`): it comes back from `read` and `find`.
   * Not idempotent: after an unknown fate ask `find` before asking again.
   */
  create(ask: {
    reference: string;
    title: string;
    fileName: string;
    pdf: Buffer;
    /** The same words as text, for a provider that shows them on a page of its own; most show the PDF. */
    readable: readonly ReadablePart[];
    signer: { name: string; email: string };
    /** Where the signature and the date belong: page counted from 1, points from the page's lower left corner. */
    place: { page: number; x: number; y: number; width: number; height: number };
    signal?: AbortSignal;
  }): Promise<{ requestId: string; signatureId: string }>;
  /** The request made with this reference; null when the provider surely never took one. Throws when it cannot say. */
  find(reference: string): Promise<{ requestId: string; signatureId: string } | null>;
  /** The request as it is now: the only thing we act on. Throws EsignRefused('not-found' | 'gone') when there is none. */
  read(requestId: string): Promise<SigningRequest>;
  /**
   * A link that opens the signing once, within the hour. Made on each click, never stored by us. `person` is who asked for it: the id
   * of the signed-in person and what they signed in with, for the provider's audit trail where it keeps one.
   */
  mintLink(
    request: { requestId: string; signatureId: string },
    person: { id: string; signedInAs: string; language: 'en' | 'es' },
  ): Promise<{ url: string; expiresAt: Date }>;
  /** The signed and sealed PDF. Throws EsignRefused('not-ready') while it is being made. */
  signedPdf(requestId: string): Promise<Buffer>;
  /** Takes an open request back; one that is over already stays as it is (not an error). */
  cancel(requestId: string): Promise<void>;
  /** Checks that a call is the provider's (throws EsignForged); null when it tells of nothing that concerns us. */
  readCallback(call: EsignCall): EsignEvent | null;
}
