/**
 * The HIPAA business associate agreement (BAA) of an office, and how it gets signed.
 *
 * agreement: one version of the text, sent to one signer; it runs until it is signed, declined, expired or canceled.
 * link: opens the signing page once, within an hour. Each click makes a new one; it is never stored.
 * {esign}: the name of the e-signature provider in use, from `GET /config/public`; any other name is a 404.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant } from './shapes.ts';

export const agreementStates = ['asking', 'open', 'signed', 'declined', 'expired', 'canceled', 'failed'] as const;
export type AgreementState = (typeof agreementStates)[number];

interface AgreementRule {
  from: readonly AgreementState[];
  to: AgreementState;
}

/** The allowed transitions. A signature counts even if we canceled the request at the same moment. */
export const agreementMoves = {
  /** The provider accepted the request. */
  open: { from: ['asking'], to: 'open' },
  sign: { from: ['open', 'canceled'], to: 'signed' },
  decline: { from: ['open'], to: 'declined' },
  expire: { from: ['open'], to: 'expired' },
  cancel: { from: ['open'], to: 'canceled' },
  fail: { from: ['asking', 'open'], to: 'failed' },
} as const satisfies Record<string, AgreementRule>;
export type AgreementMove = keyof typeof agreementMoves;

/** An office has at most one agreement in these states. */
export const runningStates = ['asking', 'open'] as const satisfies readonly AgreementState[];

export const Agreement = z.object({
  id: z.uuid(),
  version: z.string(),
  state: z.enum(agreementStates),
  signerName: z.nullable(z.string()),
  signerEmail: z.string(),
  askedAt: Instant,
  viewedAt: z.nullable(Instant),
  signedAt: z.nullable(Instant),
  /** When it was declined, expired or canceled. */
  endedAt: z.nullable(Instant),
  declineReason: z.nullable(z.string()),
  /** The stored signed PDF; null until the provider has finished it. */
  file: z.nullable(z.object({ sha256: z.string(), bytes: z.int() })),
});
export type Agreement = z.output<typeof Agreement>;

/** The state of an office's agreement. */
export const AgreementStatus = z.object({
  officeId: z.uuid(),
  officeName: z.string(),
  /** The agreement is signed, so the office may be entered. */
  hellosignComplete: z.boolean(),
  signedAt: z.nullable(Instant),
  /** The version that would be signed today. */
  currentVersion: z.string(),
  /** The signed agreement if there is one, else the running one, else the latest. Null if none was ever requested. */
  agreement: z.nullable(Agreement),
  esign: z.string(),
});
export type AgreementStatus = z.output<typeof AgreementStatus>;

const Esign = z.object({ esign: z.string().check(z.maxLength(40)) });

/** What the browser needs to open a signing link. */
export const SigningClient = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page') }),
  z.object({ kind: z.literal('dropbox-sign'), clientId: z.string(), skipDomainVerification: z.boolean() }),
]);
export type SigningClient = z.output<typeof SigningClient>;

/** LOADING: still being prepared, try again in a moment. ALREADY_SIGNED counts as completed. */
export const SigningLink = z.object({
  status: z.enum(['LOADING', 'URL_RETRIEVED', 'ALREADY_SIGNED']),
  url: z.nullable(z.string()),
  expiresAt: z.nullable(Instant),
  client: SigningClient,
});
export type SigningLink = z.output<typeof SigningLink>;

export const retrieveSigning = endpoint({
  method: 'POST',
  path: '/:esign/retrieve',
  summary:
    'Creates a single-use signing link that is valid for an hour; reuses the running request, so there are never two',
  access: 'person',
  params: Esign,
  body: z.object({
    officeId: z.string().check(z.maxLength(40)),
    /** The signer's email address. */
    email: z.string().check(z.maxLength(254)),
    /** The signer's name, if known. */
    name: z.optional(z.string().check(z.maxLength(120))),
  }),
  reply: SigningLink,
  refusals: ['office_not_found', 'invalid_email', 'too_many_tries', 'esign_away'],
});

export const confirmSigned = endpoint({
  method: 'POST',
  path: '/:esign/signed',
  summary: "Asks the provider whether the office's agreement is signed; never trusts the caller's claim",
  access: 'person',
  params: Esign,
  body: z.object({
    /** The office's id. */
    id: z.string().check(z.maxLength(40)),
  }),
  reply: AgreementStatus,
  refusals: ['office_not_found', 'too_many_tries', 'esign_away'],
});

export const hearEsign = endpoint({
  method: 'POST',
  path: '/:esign/events',
  summary:
    "The provider's callback, signed over its raw body. It only triggers a look-up; a repeated callback changes nothing",
  access: 'anyone',
  params: Esign,
  /** The acknowledgment; each provider expects its own text. */
  reply: z.union([z.string(), z.object({ received: z.boolean() })]),
  refusals: ['wrong_signature'],
});

export const readAgreement = endpoint({
  method: 'GET',
  path: '/office/agreement',
  summary: "The state of the agreement of the caller's office: version, state, signer and date",
  access: 'person',
  reply: AgreementStatus,
  refusals: ['no_office'],
});

export const downloadAgreement = endpoint({
  method: 'POST',
  path: '/office/agreement/download',
  summary: 'A short-lived URL of the signed PDF, after its hash was checked',
  access: 'office',
  audit: 'agreement.download',
  reply: z.object({ url: z.string(), fileName: z.string(), expiresAt: Instant }),
  refusals: ['not_found', 'file_damaged', 'files_away'],
});
