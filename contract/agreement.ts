/**
 * The HIPAA business-associate agreement of an office, and how it gets signed.
 *
 * agreement: one version of the text put before one signer; running until it is signed, declined, expired or taken back.
 * link: opens the signing once, within the hour; made on each click, never kept.
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

/** What may follow what. A signature counts even where we had taken the request back at the same moment. */
export const agreementMoves = {
  /** The provider has taken it. */
  open: { from: ['asking'], to: 'open' },
  sign: { from: ['open', 'canceled'], to: 'signed' },
  decline: { from: ['open'], to: 'declined' },
  expire: { from: ['open'], to: 'expired' },
  cancel: { from: ['open'], to: 'canceled' },
  fail: { from: ['asking', 'open'], to: 'failed' },
} as const satisfies Record<string, AgreementRule>;
export type AgreementMove = keyof typeof agreementMoves;

/** While one of these runs, an office has no second one. */
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
  /** When it was declined, expired or taken back. */
  endedAt: z.nullable(Instant),
  declineReason: z.nullable(z.string()),
  /** The signed PDF as it is kept: absent until the provider has finished it. */
  file: z.nullable(z.object({ sha256: z.string(), bytes: z.int() })),
});
export type Agreement = z.output<typeof Agreement>;

/** Where an office stands with its agreement. */
export const AgreementStatus = z.object({
  officeId: z.uuid(),
  officeName: z.string(),
  /** The office may be entered: its agreement is signed. */
  hellosignComplete: z.boolean(),
  signedAt: z.nullable(Instant),
  /** The text that would be signed now. */
  currentVersion: z.string(),
  /** Of a signed office the signed one; else the running one, else the one asked for last; null when none ever was. */
  agreement: z.nullable(Agreement),
  esign: z.string(),
});
export type AgreementStatus = z.output<typeof AgreementStatus>;

const Esign = z.object({ esign: z.string().check(z.maxLength(40)) });

/** What the browser needs to open a link. */
export const SigningClient = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page') }),
  z.object({ kind: z.literal('dropbox-sign'), clientId: z.string(), skipDomainVerification: z.boolean() }),
]);
export type SigningClient = z.output<typeof SigningClient>;

/** LOADING: it is being prepared, ask again in a moment. ALREADY_SIGNED counts as completed. */
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
  summary: 'A link that opens the signing once, within the hour; a running request is used again, never two at once',
  access: 'person',
  params: Esign,
  body: z.object({
    officeId: z.string().check(z.maxLength(40)),
    /** The signer's. */
    email: z.string().check(z.maxLength(254)),
    /** The signer's name, where it is known. */
    name: z.optional(z.string().check(z.maxLength(120))),
  }),
  reply: SigningLink,
  refusals: ['office_not_found', 'invalid_email', 'too_many_tries', 'esign_away'],
});

export const confirmSigned = endpoint({
  method: 'POST',
  path: '/:esign/signed',
  summary:
    "Looks at the provider whether the office's agreement is signed by now; what the caller says is not believed",
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
    "The provider's callback: signed over its raw body, taken as a hint to look, the same one again changes nothing",
  access: 'anyone',
  params: Esign,
  /** What the provider wants to hear: each has its own words. */
  reply: z.union([z.string(), z.object({ received: z.boolean() })]),
  refusals: ['wrong_signature'],
});

export const readAgreement = endpoint({
  method: 'GET',
  path: '/office/agreement',
  summary: "Where the caller's office stands with its agreement: version, state, who signed and when",
  access: 'person',
  reply: AgreementStatus,
  refusals: ['no_office'],
});

export const downloadAgreement = endpoint({
  method: 'POST',
  path: '/office/agreement/download',
  summary: 'A short-lived address of the signed PDF, after its hash was checked',
  access: 'office',
  audit: 'agreement.download',
  reply: z.object({ url: z.string(), fileName: z.string(), expiresAt: Instant }),
  refusals: ['not_found', 'file_damaged', 'files_away'],
});
