/** The state of a signature request, in our terms. All but `open` are final. */
export type SigningState = 'open' | 'signed' | 'declined' | 'expired' | 'canceled' | 'failed';

/** One document waiting for one signature, as the provider has it now. */
export interface SigningRequest {
  requestId: string;
  state: SigningState;
  /** Our reference, as passed to `create`; null if the provider has none. */
  reference: string | null;
  signer: { name: string; email: string };
  viewedAt: Date | null;
  signedAt: Date | null;
  declineReason: string | null;
}

/** A part of a document as text: a heading, or a paragraph with its clause number. */
export interface AgreementPart {
  heading?: string;
  mark?: string;
  text?: string;
}

/** An event from a callback: only a hint to look at the request. Nothing in it is trusted. */
export interface EsignEvent {
  /** A repeated event has the same key (for Dropbox Sign: type, time and request id). At most 200 characters. */
  key: string;
  /** What happened, in the provider's term; stored for the audit log. At most 60 characters. */
  type: string;
  /** Null for events about no request (a test of the callback address, an account). */
  requestId: string | null;
}

/** A request to our callback route. */
export interface EsignCall {
  headers: Record<string, string | string[] | undefined>;
  rawBody: Buffer;
  /** Path and query of the request. */
  url: string;
}

/** What the browser needs to open a signing link. */
export type EsignClient =
  /** The link is a page that may be shown in a frame or in its own tab. */
  | { kind: 'page' }
  /** The link works only inside the vendor's embedded client. */
  | { kind: 'dropbox-sign'; clientId: string; skipDomainVerification: boolean };

/** Why a provider refused; `not-ready`: retry a little later (the file is being made). */
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

/** Thrown by every method if the provider did not do it. `tryAgain`: a retry may succeed. */
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

/** Thrown by `readCallback` if the call is not the provider's, was tampered with or is too old. */
export class EsignSignatureInvalid extends Error {
  override readonly name = 'EsignSignatureInvalid';
}

/** What we need from an e-signature provider: one document, one signer, a single-use link, the signed PDF. */
export interface Esign {
  /** The provider's name: the `{esign}` of our paths, so lowercase letters and dashes; `local` is the stand-in. */
  readonly name: string;
  readonly client: EsignClient;
  /** Additional CSP sources for frames and scripts; empty for `local`. */
  readonly frameSources: readonly string[];
  /** The exact body the provider expects as the answer to its callback (status 200). */
  readonly callbackReply: { contentType: string; body: string };

  /**
   * Requests one signature on one PDF. `reference` is ours (`officeId.agreementId`); `read` and `find` return it. Not idempotent: if the
   * outcome is unknown, call `find` before calling it again.
   */
  create(ask: {
    reference: string;
    title: string;
    fileName: string;
    pdf: Buffer;
    /** The same text for providers that show it on a page of their own; most show the PDF. */
    readable: readonly AgreementPart[];
    signer: { name: string; email: string };
    /** The position of the signature and the date: page from 1, points from the page's lower left corner. */
    place: { page: number; x: number; y: number; width: number; height: number };
    signal?: AbortSignal;
  }): Promise<{ requestId: string; signatureId: string }>;
  /** The request with this reference; null if the provider definitely has none. Throws if it cannot tell. */
  find(reference: string): Promise<{ requestId: string; signatureId: string } | null>;
  /** The request as it is now: the only thing we act on. Throws EsignRefused('not-found' | 'gone') if there is none. */
  read(requestId: string): Promise<SigningRequest>;
  /**
   * A link that opens the signing page once, within an hour. Made on each click, never stored by us. `person` is who requested it (their id
   * and what they signed in with), for providers with an audit trail.
   */
  mintLink(
    request: { requestId: string; signatureId: string },
    person: { id: string; signedInAs: string; language: 'en' | 'es' },
  ): Promise<{ url: string; expiresAt: Date }>;
  /** The signed PDF. Throws EsignRefused('not-ready') while it is being made. */
  signedPdf(requestId: string): Promise<Buffer>;
  /** Cancels an open request; one that has ended stays as it is, without an error. */
  cancel(requestId: string): Promise<void>;
  /** Verifies a callback (throws EsignSignatureInvalid); null for events we ignore. */
  readCallback(call: EsignCall): EsignEvent | null;
}
