/**
 * Card payments by patients: how a practice gets permission to take them.
 *
 * payments question: asked once, after the agreement, of an office that uses AthenaOne: does it want card payments?
 * application: the practice's request to the payment provider. Five steps: address, details, identity, bank, transactions.
 * hosted form: the provider's own pages, where the practice gives what only the provider may see (owner, tax id, bank account).
 * identity: the provider's name for the practice. It exists once the hosted form is submitted; the provider then approves or rejects it, or
 * requests an update first.
 * {merchant}: the name of the payment provider in use; any other name is a 404.
 */
import * as z from 'zod/mini';
import { emailPattern } from './email.ts';
import { endpoint } from './endpoint.ts';
import { Instant, Npi } from './shapes.ts';
import { states } from './practice/choices.ts';

export const merchantStates = ['draft', 'open', 'processing', 'update-requested', 'approved', 'rejected'] as const;
export type MerchantState = (typeof merchantStates)[number];

/** `wanted`: the office said yes and has not submitted an application. Only an approved one can request payments. */
export const CardPayments = z.enum(['none', 'wanted', 'processing', 'update-requested', 'approved', 'rejected']);
export type CardPayments = z.output<typeof CardPayments>;

/** How far an office that said yes is, by its latest application. */
export function cardPaymentsOf(state: MerchantState | null): CardPayments {
  return state === null || state === 'draft' || state === 'open' ? 'wanted' : state;
}

interface MerchantRule {
  from: readonly MerchantState[];
  to: MerchantState;
}

/** The allowed transitions. The provider may review a decided application again, so it can leave every state but the first. */
export const merchantMoves = {
  /** The provider made the hosted form. */
  open: { from: ['draft'], to: 'open' },
  /** The hosted form was submitted: there is an identity, and the provider reviews it. */
  submit: { from: ['open', 'update-requested', 'approved', 'rejected'], to: 'processing' },
  /** The provider needs documents or corrections: the practice gives them in the same hosted form and submits it again. */
  return: { from: ['open', 'processing', 'approved', 'rejected'], to: 'update-requested' },
  approve: { from: ['open', 'processing', 'update-requested', 'rejected'], to: 'approved' },
  reject: { from: ['open', 'processing', 'update-requested', 'approved'], to: 'rejected' },
} as const satisfies Record<string, MerchantRule>;
export type MerchantMove = keyof typeof merchantMoves;

/** The kinds of business that payment providers know. */
export const businessTypes = [
  'INDIVIDUAL_SOLE_PROPRIETORSHIP',
  'LIMITED_LIABILITY_COMPANY',
  'CORPORATION',
  'PARTNERSHIP',
  'TAX_EXEMPT_ORGANIZATION',
  'GOVERNMENT_AGENCY',
] as const;
export type BusinessType = (typeof businessTypes)[number];

/* @__NO_SIDE_EFFECTS__ */
const line = (longest: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(longest));

/** The address of the business, as its bank and tax authority know it. */
export const AddressAnswers = z.object({
  line1: line(100),
  city: line(60),
  state: z.string().check(z.refine((code) => Object.hasOwn(states, code), 'not a state')),
  zip: z.string().check(z.trim(), z.regex(/^\d{5}(-\d{4})?$/)),
});
export type AddressAnswers = z.output<typeof AddressAnswers>;

/** What the business is. */
export const DetailsAnswers = z.object({
  /** The number on the business's tax documents. */
  legalName: line(120),
  /** On the patients' card statements. */
  knownAs: line(60),
  businessType: z.enum(businessTypes),
  /** A US number, with or without spaces and dashes. */
  phone: z.string().check(
    z.trim(),
    z.maxLength(20),
    z.refine((phone) => /^(\+?1)?\d{10}$/.test(phone.replace(/[\s().-]/g, '')), 'not a US phone number'),
  ),
  email: z.string().check(z.trim(), z.maxLength(100), z.regex(emailPattern)),
});
export type DetailsAnswers = z.output<typeof DetailsAnswers>;

/** The application, as the panel shows it. The link to the hosted form is not part of it: it is made on each click and never stored. */
export const MerchantForm = z.object({
  /** Null while the practice has not begun an application. */
  id: z.nullable(z.uuid()),
  state: z.enum(merchantStates),
  unlockedStep: z.int().check(z.minimum(1), z.maximum(5)),
  addressAnswers: z.nullable(AddressAnswers),
  detailsAnswers: z.nullable(DetailsAnswers),
  identity: z.nullable(z.string()),
  /** The account that payouts go to, as far as the provider shows it. */
  bank: z.nullable(z.object({ lastFour: z.nullable(z.string()) })),
  /** Patients can pay. */
  transactions: z.boolean(),
  /** The hosted form was begun and is not submitted yet. */
  formBegun: z.boolean(),
  submittedAt: z.nullable(Instant),
  decidedAt: z.nullable(Instant),
  /** What the practice's own details suggest for answers that are not given yet. */
  suggested: z.object({
    line1: z.string(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
    legalName: z.string(),
    email: z.string(),
  }),
});
export type MerchantForm = z.output<typeof MerchantForm>;

/** Whether the practice can fill in the hosted form: it was not submitted, or the provider needs more. */
export const mayFillForm = (state: MerchantState): state is 'open' | 'update-requested' =>
  state === 'open' || state === 'update-requested';

/** The last step that may be opened. */
export function unlockedStep({
  addressAnswers,
  detailsAnswers,
  identity,
  bank,
}: Record<'addressAnswers' | 'detailsAnswers' | 'identity' | 'bank', unknown>): 1 | 2 | 3 | 4 | 5 {
  if (bank) return 5;
  if (identity) return 4;
  if (detailsAnswers) return 3;
  return addressAnswers ? 2 : 1;
}

/** Which entry the settings show, if any: for offices with AthenaOne or no software, until there is a payment identity. */
export function paymentsEntry({ emr, paymentIdentity }: { emr: string; paymentIdentity: boolean }) {
  if (paymentIdentity || !['AthenaOne', 'N/A', ''].includes(emr)) return null;
  return emr === 'AthenaOne' ? 'payments' : 'athena-payments';
}

export const skipPayments = endpoint({
  method: 'POST',
  path: '/payments/merchant/skip',
  summary: 'Answers the payments question with no; payments can be turned on later in the settings',
  access: 'office',
  audit: 'settings.change',
  reply: z.object({ paymentsQuestionCompleted: z.boolean() }),
});

export const readMerchantForm = endpoint({
  method: 'GET',
  path: '/payments/merchant/application',
  summary: "The practice's application for card payments: its answers, the steps it may open, and what became of it",
  access: 'office',
  reply: MerchantForm,
});

export const beginMerchantForm = endpoint({
  method: 'POST',
  path: '/payments/merchant/application',
  summary:
    'Answers the payments question with yes and begins an application; after a rejection, a new one with the same answers',
  access: 'office',
  audit: 'merchant.begin',
  reply: MerchantForm,
});

export const saveMerchantAnswers = endpoint({
  method: 'PATCH',
  path: '/payments/merchant/application',
  summary: 'Saves the answers of the first two steps; refused once the application is submitted',
  access: 'office',
  audit: 'merchant.save',
  body: z.object({ addressAnswers: z.optional(AddressAnswers), detailsAnswers: z.optional(DetailsAnswers) }),
  reply: MerchantForm,
  refusals: ['merchant_submitted'],
});

export const openMerchantForms = endpoint({
  method: 'POST',
  path: '/payments/merchant/onboarding-forms',
  summary:
    'Makes a link to the hosted form, valid for an hour, and answers the payments question with yes. The form is created by the first call and resumed by later ones',
  access: 'office',
  audit: 'merchant.open',
  reply: z.object({
    onboarding_link: z.object({ link_url: z.string(), expires_at: Instant }),
    paymentsQuestionCompleted: z.boolean(),
  }),
  refusals: ['merchant_submitted', 'merchant_forms_busy', 'merchant_forms_away', 'too_many_tries'],
});

export const saveMerchantIdentity = endpoint({
  method: 'POST',
  path: '/payments/merchant/identity',
  summary:
    "After the hosted form: looks the practice's identity up at the provider and saves it. The identity and state in the body are only compared",
  access: 'office',
  audit: 'merchant.submit',
  body: z.object({
    /** The office, or its id. */
    strapi: z.union([z.string().check(z.maxLength(64)), z.looseObject({ _id: z.string().check(z.maxLength(64)) })]),
    /** From the address of the return page, if the provider put it there. */
    identity: z.nullish(z.string().check(z.maxLength(100))),
    /** Our own signed state, from the same address. */
    state: z.nullish(z.string().check(z.maxLength(400))),
  }),
  reply: MerchantForm,
  refusals: ['office_not_found', 'identity_not_found', 'merchant_away', 'too_many_tries'],
});

export const readMerchantIdentity = endpoint({
  method: 'GET',
  path: '/payments/identity/:npi',
  summary: "The payment identity of the caller's own office; any other office is a 404",
  access: 'office',
  params: z.object({ npi: z.string().check(z.maxLength(20)) }),
  reply: z.object({ npi: Npi, identity: z.nullable(z.string()), state: z.enum(merchantStates), approved: z.boolean() }),
  refusals: ['office_not_found'],
});

export const hearMerchant = endpoint({
  method: 'POST',
  path: '/merchant/:merchant/events',
  summary:
    "The payment provider's callback, signed over its raw body. It only triggers a look-up; a repeated callback changes nothing",
  access: 'anyone',
  params: z.object({ merchant: z.string().check(z.maxLength(40)) }),
  reply: z.object({ received: z.boolean() }),
  refusals: ['wrong_signature'],
});
