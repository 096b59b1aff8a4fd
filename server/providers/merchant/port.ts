import type { AddressAnswers, DetailsAnswers } from '#contract/merchant.ts';
import type { Language } from '#contract/shapes.ts';

/** How an application stands at the provider, in our terms. */
export type ReviewState = 'open' | 'processing' | 'update-requested' | 'approved' | 'rejected';

/** A hosted form, and what became of it, as the provider has it now. */
export interface Onboarding {
  state: ReviewState;
  /** Our reference, as passed to `createForm`; null if the provider has none. */
  reference: string | null;
  /** Exists once the form is submitted. */
  identityId: string | null;
  /** The account that may take payments; exists once the review has begun. */
  merchantId: string | null;
  /** Where payouts go; null until the form is submitted. */
  bank: { lastFour: string | null } | null;
}

/** What we know of an application when we look at it. */
export interface KnownApplication {
  reference: string;
  /** When we created it. */
  createdAt: Date;
  /** The provider's ids, if an earlier call named them. */
  identityId: string | null;
  merchantId: string | null;
}

/** Where the hosted form leads, and what it links to. Absolute URLs of ours. */
export interface FormLinks {
  returnUrl: string;
  expiredUrl: string;
  termsUrl: string;
}

/** A link to the hosted form. It works until it expires. */
export interface HostedLink {
  url: string;
  expiresAt: Date;
}

/** What the practice has already answered. The hosted form shows it, filled in. */
export interface Prefill {
  npi: string;
  address: AddressAnswers | null;
  details: DetailsAnswers | null;
}

/** An event from a callback: only a hint to look at an application. Nothing else in it is trusted. */
export interface MerchantEvent {
  /** A repeated event has the same key. At most 200 characters. */
  key: string;
  /** What happened, in the provider's term; at most 60 characters. */
  type: string;
  /** The ids of forms and identities it is about; empty for events about neither (a test of the callback address). */
  about: readonly string[];
}

/** A request to our callback route. */
export interface MerchantCall {
  headers: Record<string, string | string[] | undefined>;
  rawBody: Buffer;
}

export type MerchantReason = 'unauthorized' | 'forbidden' | 'not-found' | 'invalid' | 'rate' | 'unreachable' | 'other';

/** Thrown by every method if the provider did not do it. After `unreachable` it may have happened. */
export class MerchantRefused extends Error {
  override readonly name = 'MerchantRefused';
  readonly reason: MerchantReason;
  readonly retryAfterSeconds: number | undefined;
  constructor(reason: MerchantReason, retryAfterSeconds?: number) {
    super(`payment provider refused: ${reason}`);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Thrown by `readCallback` if the call is not the provider's, was tampered with or is too old. */
export class MerchantSignatureInvalid extends Error {
  override readonly name = 'MerchantSignatureInvalid';
}

/** What we need from the provider through which patients pay: a hosted application, and what became of it. */
export interface Merchant {
  /** The provider's name: the `{merchant}` of our paths; `local` is the stand-in. */
  readonly name: string;
  /**
   * Creates a hosted form with its first link. `reference` is ours (`officeId.applicationId`); `readForm` returns it. `operationId` is the
   * idempotency key: a provider that knows such keys makes one form, however often it is called with it.
   */
  createForm(ask: {
    operationId: string;
    reference: string;
    language: Language;
    prefill: Prefill;
    links: FormLinks;
  }): Promise<{ formId: string; link: HostedLink }>;
  /** Another link to the same form, with everything saved in it so far; also to a submitted one of which the provider needs more. */
  createLink(formId: string, ask: { language: Language; links: FormLinks }): Promise<HostedLink>;
  /** Ends the links to a form that were made so far, if the provider can: else they work until they expire. What was filled in stays. */
  endLinks(formId: string): Promise<void>;
  /** The form as it is now: the only thing we act on. */
  readForm(formId: string, about: KnownApplication): Promise<Onboarding>;
  /** Verifies a callback (throws MerchantSignatureInvalid); null for events we ignore. */
  readCallback(call: MerchantCall): MerchantEvent | null;
}
