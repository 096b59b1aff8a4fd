import * as z from 'zod/mini';
import type { Services } from '#server/context.ts';
import { finixCalls } from './finix-calls.ts';
import { readFinixEvent } from './finix-event.ts';
import type { FinixSettings } from './finix-settings.ts';
import {
  MerchantRefused,
  type FormLinks,
  type HostedLink,
  type KnownApplication,
  type Merchant,
  type Onboarding,
  type Prefill,
  type ReviewState,
} from './port.ts';

/** The fields we read of the vendor's answers; the others may change. */
const Tags = z.nullish(z.record(z.string(), z.string()));
const Link = z.looseObject({ link_url: z.optional(z.string()), expires_at: z.optional(z.string()) });
const Form = z.looseObject({
  id: z.string(),
  status: z.string(),
  tags: Tags,
  /** Not in the published contract; programs that use the service read it from a completed form. */
  identity_id: z.nullish(z.string()),
});
const NewForm = z.looseObject({ id: z.string(), onboarding_link: z.nullish(Link) });
const Identity = z.looseObject({ id: z.string(), tags: Tags });
const Account = z.looseObject({ id: z.string(), identity: z.string(), onboarding_state: z.string() });
const Page = z.nullish(z.looseObject({ next_cursor: z.nullish(z.string()) }));
const Identities = z.looseObject({
  page: Page,
  _embedded: z.optional(z.looseObject({ identities: z.array(Identity) })),
});
const Accounts = z.looseObject({ page: Page, _embedded: z.optional(z.looseObject({ merchants: z.array(Account) })) });

const linkMinutes = 60;
const mostPages = 20;

/** Finix, with its hosted onboarding form. Tested against its published contract, never against the live service. */
export function finixMerchant({ now }: Pick<Services, 'now'>, settings: FinixSettings, patienceMs?: number): Merchant {
  const { get, post } = finixCalls(settings, patienceMs);

  /** The first match in a list, newest resources first, page by page. */
  async function findIn<T>(
    path: string,
    createdAt: Date,
    read: (answer: unknown) => { items: T[]; next: string | null },
    matches: (item: T) => boolean,
  ): Promise<T | undefined> {
    let cursor: string | null = null;
    for (let page = 0; page < mostPages; page++) {
      const query = new URLSearchParams({
        'created_at.gte': createdAt.toISOString().slice(0, 19),
        limit: '100',
        ...(cursor !== null && { after_cursor: cursor }),
      });
      const { items, next } = read(await get(`${path}?${query.toString()}`));
      const found = items.find(matches);
      if (found !== undefined || next === null) return found;
      cursor = next;
    }
    return undefined;
  }

  /** Every patient who pays is an identity too, so the list of them grows fast: only an identity that nobody has named is searched for. */
  async function identityOf(
    form: z.output<typeof Form>,
    { reference, createdAt, identityId }: KnownApplication,
  ): Promise<string | null> {
    const named = form.identity_id ?? identityId;
    if (named) return named;
    const read = (answer: unknown) => {
      const { _embedded: inside, page } = parse(Identities, answer);
      return { items: inside?.identities ?? [], next: page?.next_cursor ?? null };
    };
    const found = await findIn('/identities', createdAt, read, ({ tags }) => tags?.reference === reference);
    return found?.id ?? null;
  }

  async function accountOf(identityId: string, { createdAt, merchantId }: KnownApplication) {
    if (merchantId !== null) return parse(Account, await get(`/merchants/${encodeURIComponent(merchantId)}`));
    const read = (answer: unknown) => {
      const { _embedded: inside, page } = parse(Accounts, answer);
      return { items: inside?.merchants ?? [], next: page?.next_cursor ?? null };
    };
    return findIn('/merchants', createdAt, read, ({ identity }) => identity === identityId);
  }

  return {
    name: 'finix',

    /** The vendor takes idempotency keys of payments only: after a lost answer the repeat is another form, which our tag tells apart. */
    async createForm({ operationId, reference, prefill, links }) {
      const made = await post('/onboarding_forms', {
        merchant_processors: [{ processor: settings.processor }],
        onboarding_data: { entity: entityOf(prefill) },
        // The same setting is text here and a number in `createLink`.
        onboarding_link_details: { ...linkDetails(settings, links), expiration_in_minutes: String(linkMinutes) },
        tags: { npi: prefill.npi, reference, operation: operationId },
      });
      const { id, onboarding_link: link } = parse(NewForm, made);
      return { formId: id, link: toLink(link, now()) };
    },

    async createLink(formId, { links }) {
      const details = { ...linkDetails(settings, links), expiration_in_minutes: linkMinutes };
      const made = await post(`/onboarding_forms/${encodeURIComponent(formId)}/links`, details);
      return toLink(parse(Link, made), now());
    },

    /** The vendor has no call for this. */
    endLinks: () => Promise.resolve(),

    async readForm(formId, known): Promise<Onboarding> {
      const form = parse(Form, await get(`/onboarding_forms/${encodeURIComponent(formId)}`));
      const open = { reference: form.tags?.reference ?? null, identityId: null, merchantId: null, bank: null };
      // One that is filled in again because of an update request may be in progress again; its account says how it stands.
      if (form.status !== 'COMPLETED' && known.merchantId === null) return { ...open, state: 'open' };
      const identityId = await identityOf(form, known);
      const account = identityId === null ? undefined : await accountOf(identityId, known);
      return {
        ...open,
        state: account ? (states[account.onboarding_state] ?? 'processing') : 'processing',
        identityId,
        merchantId: account?.id ?? null,
        // The form asks for the account, but does not show it again.
        bank: { lastFour: null },
      };
    },

    readCallback: (call) => readFinixEvent(settings.webhook, call, now()),
  };
}

const states: Record<string, ReviewState> = {
  PROVISIONING: 'processing',
  // Not in the published contract, but in the vendor's guide on update requests: the practice answers in the form it used.
  UPDATE_REQUESTED: 'update-requested',
  APPROVED: 'approved',
  REJECTED: 'rejected',
};

function linkDetails({ feesUrl }: FinixSettings, { returnUrl, expiredUrl, termsUrl }: FormLinks) {
  return {
    return_url: returnUrl,
    expired_session_url: expiredUrl,
    terms_of_service_url: termsUrl,
    ...(feesUrl !== undefined && { fee_details_url: feesUrl }),
  };
}

/** Our answers under the vendor's names, cut to its longest values; the person can correct them in the form. */
function entityOf({ address, details }: Prefill) {
  return {
    ...(details && {
      business_name: details.legalName,
      doing_business_as: details.knownAs,
      default_statement_descriptor: details.knownAs.slice(0, 20),
      business_type: details.businessType,
      business_phone: details.phone.replace(/\D/g, '').slice(-10),
      email: details.email,
    }),
    ...(address && {
      business_address: {
        line1: address.line1.slice(0, 35),
        city: address.city.slice(0, 20),
        region: address.state,
        postal_code: address.zip.slice(0, 5),
        country: 'USA',
      },
    }),
  };
}

/** A form without a link is of no use: the person would not get anywhere. */
function toLink(link: z.output<typeof Link> | null | undefined, now: Date): HostedLink {
  const url = URL.parse(link?.link_url ?? '');
  if (url?.protocol !== 'https:') throw new MerchantRefused('other');
  const expiresAt = new Date(link?.expires_at ?? '');
  const isDate = !Number.isNaN(expiresAt.getTime());
  return { url: url.href, expiresAt: isDate ? expiresAt : new Date(now.getTime() + linkMinutes * 60_000) };
}

/** Parses an answer; an unexpected shape counts as no answer. */
function parse<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const read = z.safeParse(schema, answer);
  if (!read.success) throw new MerchantRefused('unreachable');
  return read.data;
}
