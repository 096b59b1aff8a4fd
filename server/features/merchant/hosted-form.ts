import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { MerchantRefused, type FormLinks, type HostedLink } from '#server/providers/merchant/port.ts';
import { runningApplication } from './application.ts';
import { mayFillForm } from '#contract/merchant.ts';
import { endMarkedLinks, openersOf } from './form-links.ts';
import { signReturnState } from './return-state.ts';
import { applicationById, changeApplication, claimDraft, lockApplication, type ApplicationRow } from './sql.ts';
import { referenceOf, syncApplication } from './sync-application.ts';

/** Each click makes a new link, up to this limit. */
const linksPerHour = { name: 'merchant-link', points: 60, seconds: 3600 };
/** Longer than the adapter waits for an answer, so that two forms are never requested at the same time. */
const leaseMs = 60_000;

/**
 * A link to the hosted form, made on this click. The first click creates the form: the draft is claimed and committed, then the provider is
 * called, then its form is saved. Later clicks resume the form, also a
 * submitted one of which the provider needs more.
 */
export async function openHostedForm(ctx: OfficeCtx) {
  await ctx.limits.take(linksPerHour, ctx.officeId);
  const row = await ctx.transaction((tx) => runningApplication(tx, ctx));
  const { url, expiresAt } = await refuseWithoutLink(() => linkFor(ctx, row));
  return {
    onboarding_link: { link_url: url, expires_at: expiresAt.toISOString() },
    paymentsQuestionCompleted: true,
  };
}

async function linkFor(ctx: OfficeCtx, row: ApplicationRow): Promise<HostedLink> {
  if (row.state === 'draft') return createForm(ctx, row);
  // It may have been submitted without a callback reaching us.
  const current = mayFillForm(row.state) ? await syncApplication(ctx, row.id) : row;
  if (!mayFillForm(current.state)) throw new Refusal('merchant_submitted');
  return createLink(ctx, current);
}

/** If the outcome is unknown, the next click creates another form: nobody can fill in a form without its link. */
async function createForm(ctx: OfficeCtx, row: ApplicationRow): Promise<HostedLink> {
  const now = ctx.now();
  const claimed = await ctx.transaction((tx) => claimDraft(tx, row, now, new Date(now.getTime() + leaseMs)));
  if (!claimed) {
    const current = await ctx.transaction((tx) => applicationById(tx, row.officeId, row.id));
    if (current?.state === 'open') return createLink(ctx, current);
    throw new Refusal('merchant_forms_busy');
  }
  try {
    const { npi } = await ctx.transaction((tx) => officeRow(tx, row.officeId));
    const { formId, link } = await ctx.providers.merchant.createForm({
      reference: referenceOf(row),
      language: ctx.language,
      prefill: { npi, address: claimed.addressAnswers, details: claimed.detailsAnswers },
      links: linksOf(ctx, row),
    });
    await saveForm(ctx, row, formId);
    return link;
  } catch (error) {
    await ctx.transaction((tx) => changeApplication(tx, row, { leaseUntil: null }));
    throw error;
  }
}

/** Saves the provider's form of a draft, which opens the application. */
export function saveForm(scope: OfficeScope, row: ApplicationRow, formId: string): Promise<ApplicationRow> {
  return scope.transaction(async (tx) => {
    const current = await lockApplication(tx, row.officeId, row.id);
    if (current.state !== 'draft') throw new Refusal('merchant_forms_busy');
    const openedBy = await openersOf(tx, scope, current);
    await writeAuditEntry(tx, scope, { action: 'merchant.open', subject: row.id });
    await sendHint(tx, { office: row.officeId, type: 'merchant' });
    // A colleague who was removed before had no link to this form.
    const opened = { formId, state: 'open', leaseUntil: null, openedBy, linksEndAt: null } as const;
    return changeApplication(tx, current, { ...opened, ...checksAfterLink(scope) });
  });
}

async function createLink(ctx: OfficeCtx, row: ApplicationRow): Promise<HostedLink> {
  await endMarkedLinks(ctx, row.id);
  const ask = { language: ctx.language, links: linksOf(ctx, row) };
  const link = await ctx.providers.merchant.createLink(row.formId ?? '', ask);
  await ctx.transaction(async (tx) => {
    const current = await lockApplication(tx, row.officeId, row.id);
    const openedBy = await openersOf(tx, ctx, current);
    await writeAuditEntry(tx, ctx, { action: 'merchant.open', subject: row.id });
    await changeApplication(tx, current, { openedBy, ...checksAfterLink(ctx) });
  });
  return link;
}

/** Somebody is about to fill the form in: it is looked at again soon. */
function checksAfterLink({ now }: Pick<OfficeScope, 'now'>) {
  return { linkMadeAt: now(), checks: 0, checkAt: new Date(now().getTime() + 2 * 60_000) };
}

function linksOf({ env }: OfficeScope, { officeId, id }: ApplicationRow): FormLinks {
  // The panel's tab is on the same office again, also for members of several.
  const query = new URLSearchParams({ state: signReturnState(env, officeId, id), office: officeId }).toString();
  return {
    returnUrl: `${env.publicUrl}/finix-forms?${query}`,
    expiredUrl: `${env.publicUrl}/finix-forms?expired=true&${query}`,
    termsUrl: `${env.publicUrl}/document?file=terms.pdf`,
  };
}

async function refuseWithoutLink<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MerchantRefused)
      throw new Refusal('merchant_forms_away', undefined, error.retryAfterSeconds ?? 5);
    throw error;
  }
}
