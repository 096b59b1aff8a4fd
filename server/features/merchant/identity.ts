import { cardPaymentsOf, type CardPayments, type MerchantForm } from '#contract/merchant.ts';
import type { OfficeCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hasNpi } from '#server/own-office-name.ts';
import { officeRow } from '#server/office-row.ts';
import { MerchantRefused } from '#server/providers/merchant/port.ts';
import { toForm } from './application.ts';
import { readReturnState } from './return-state.ts';
import { applicationById, latestApplication, type ApplicationRow } from './sql.ts';
import { syncApplication } from './sync-application.ts';

/** The return page may look again while it waits for the provider. */
const looksPerHour = { name: 'merchant-identity', points: 120, seconds: 3600 };
/** Within this time after a check, the saved state is returned without asking the provider. */
const freshMs = 2_000;

interface ReturnedIdentity {
  strapi: string | { _id: string };
  identity?: string | null | undefined;
  state?: string | null | undefined;
}

/** Looks the identity up at the provider. What the address of the return page says is only compared with it. */
export async function saveIdentity(
  ctx: OfficeCtx,
  { strapi, identity, state }: ReturnedIdentity,
): Promise<MerchantForm> {
  if ((typeof strapi === 'string' ? strapi : strapi._id) !== ctx.officeId) throw new Refusal('office_not_found');
  await ctx.limits.take(looksPerHour, ctx.officeId);
  const row = await ctx.transaction((tx) => returnedApplication(tx, ctx, state ?? null));
  if (!row) throw new Refusal('identity_not_found');
  // A form may be submitted right after it was looked at, so a saved state before that, or without this identity, is looked up again.
  const isSubmitted = row.identityId !== null && row.state !== 'update-requested';
  const isKnown = isSubmitted && (!identity || identity === row.identityId);
  const isFresh = row.checkedAt && ctx.now().getTime() - row.checkedAt.getTime() < freshMs;
  const current = isKnown && isFresh ? row : await refuseWhenAway(() => syncApplication(ctx, row.id));
  if (identity && identity !== current.identityId) throw new Refusal('identity_not_found');
  return ctx.transaction((tx) => toForm(tx, ctx, current));
}

/** The application our signed state names, else the office's latest. */
async function returnedApplication(tx: Tx, ctx: OfficeCtx, state: string | null): Promise<ApplicationRow | undefined> {
  if (state === null) return latestApplication(tx, ctx.officeId);
  const id = readReturnState(ctx.env, ctx.officeId, state);
  return id === null ? undefined : applicationById(tx, ctx.officeId, id);
}

/** The payment identity of the caller's own office, by a current or earlier NPI. A rejected one has none. */
export async function readIdentity(ctx: OfficeCtx, npi: string) {
  return ctx.transaction(async (tx) => {
    if (!(await hasNpi(tx, ctx.officeId, npi))) throw new Refusal('office_not_found');
    const row = await latestApplication(tx, ctx.officeId);
    const state = row?.state ?? 'draft';
    const identity = state === 'rejected' ? null : (row?.identityId ?? null);
    return { npi, identity, state, approved: state === 'approved' };
  });
}

/** An approved office's ids at the payment provider; null while patients cannot pay. */
export async function paymentIdentity(tx: Tx, officeId: string) {
  const row = await latestApplication(tx, officeId);
  if (row?.state !== 'approved' || row.identityId === null || row.merchantId === null) return null;
  return { provider: row.provider, identityId: row.identityId, merchantId: row.merchantId };
}

/** The number that a practice's patients can call, as on their pages; else the application's, else the one it texts from. */
export async function practicePhone(tx: Tx, officeId: string): Promise<string | null> {
  const { phone, textNumber } = await officeRow(tx, officeId);
  if (phone !== null) return phone;
  const approved = await latestApplication(tx, officeId, 'approved');
  return approved?.detailsAnswers?.phone ?? textNumber;
}

/** How far an office is with card payments. Whoever began an application has said yes before. */
export async function cardPayments(
  tx: Tx,
  { id, paymentsWantedAt, finixIdentity }: { id: string; paymentsWantedAt: Date | null; finixIdentity: string | null },
): Promise<{ cardPayments: CardPayments; decidedAt: string | null }> {
  if (paymentsWantedAt === null && finixIdentity === null) return { cardPayments: 'none', decidedAt: null };
  const row = await latestApplication(tx, id);
  return {
    cardPayments: cardPaymentsOf(row?.state ?? null),
    decidedAt: row?.decidedAt?.toISOString() ?? null,
  };
}

async function refuseWhenAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MerchantRefused) throw new Refusal('merchant_away', undefined, error.retryAfterSeconds ?? 5);
    throw error;
  }
}
