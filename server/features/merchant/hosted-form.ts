import type { Language } from '#contract/shapes.ts';
import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { runOperation, type OperationKind } from '#server/kit/provider-operations/operations.ts';
import { officeRow } from '#server/office-row.ts';
import {
  MerchantRefused,
  type FormLinks,
  type HostedLink,
  type MerchantReason,
} from '#server/providers/merchant/port.ts';
import { runningApplication } from './application.ts';
import { mayFillForm } from '#contract/merchant.ts';
import { endMarkedLinks, openersOf } from './form-links.ts';
import { signReturnState } from './return-state.ts';
import { applicationById, changeApplication, lockApplication, type ApplicationRow } from './sql.ts';
import { referenceOf, syncApplication } from './sync-application.ts';

/** Each click makes a new link, up to this limit. */
const linksPerHour = { name: 'merchant-link', points: 60, seconds: 3600 };

/**
 * A link to the hosted form, made on this click. The first click creates the form (decision 0050: an operation). Later clicks resume it, also a
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
  if (row.state === 'draft') return createLink(ctx, await createForm(ctx, row));
  // It may have been submitted without a callback reaching us.
  const current = mayFillForm(row.state) ? await syncApplication(ctx, row.id) : row;
  if (!mayFillForm(current.state)) throw new Refusal('merchant_submitted');
  return createLink(ctx, current);
}

/** Creates the form of a draft at the provider, once, however often the button is pressed. */
async function createForm(ctx: OfficeCtx, row: ApplicationRow): Promise<ApplicationRow> {
  const outcome = await runOperation(ctx, formOperation, {
    // With the provider in it, so that a form begun at the provider before does not hold this one up.
    subject: `merchant form ${row.provider} ${row.id}`,
    input: { applicationId: row.id, provider: row.provider, language: ctx.language },
  });
  // Without an outcome a job resumes the operation, with the same form.
  if (outcome.state !== 'done') throw new Refusal('merchant_forms_away', undefined, 5);
  return ctx.transaction((tx) => lockApplication(tx, row.officeId, row.id));
}

interface FormInput {
  [name: string]: string;
  applicationId: string;
  /** Where the form is created. The installation may use another one by the time the operation ends. */
  provider: string;
  language: Language;
}

/** Creates a hosted form. Its first link is given to nobody: each click makes its own. Null: there was nothing to create. */
export const formOperation: OperationKind<FormInput, { formId: string | null }> = {
  kind: 'merchant.form',
  repeatable: true,
  async call(scope, { id: operationId, input: { applicationId, provider, language } }) {
    const { row, npi } = await scope.transaction(async (tx) => ({
      row: await applicationById(tx, scope.officeId, applicationId),
      npi: (await officeRow(tx, scope.officeId)).npi,
    }));
    // Somebody else pressed at the same moment, in another language.
    if (!row || !isDraftAt(row, provider) || scope.providers.merchant.name !== provider) return { formId: null };
    const { formId } = await scope.providers.merchant.createForm({
      operationId,
      reference: referenceOf(row),
      language,
      prefill: { npi, address: row.addressAnswers, details: row.detailsAnswers },
      links: linksOf(scope, row),
    });
    return { formId };
  },
  async settle(tx, scope, { input: { applicationId, provider } }, { formId }) {
    if (formId === null) return;
    const row = await lockApplication(tx, scope.officeId, applicationId);
    if (isDraftAt(row, provider)) await openApplication(tx, scope, row, formId);
  },
  reasonOf(error, isRepeat) {
    if (!(error instanceof MerchantRefused) || error.reason === 'unreachable') return null;
    return isRepeat && unseen.includes(error.reason) ? null : error.reason;
  },
};

const isDraftAt = (row: ApplicationRow, provider: string) => row.state === 'draft' && row.provider === provider;

/** The provider did not look at the operation, so an earlier call with its id may have done it. */
const unseen: readonly MerchantReason[] = ['rate', 'unauthorized', 'other'];

/** The draft has a form from now on. A colleague who was removed before had no link to it. */
async function openApplication(
  tx: Tx,
  scope: OfficeScope,
  row: ApplicationRow,
  formId: string,
): Promise<ApplicationRow> {
  await sendHint(tx, { office: row.officeId, type: 'merchant' });
  const opened = { formId, state: 'open', linksEndAt: null } as const;
  return changeApplication(tx, row, { ...opened, ...checksAfterLink(scope) });
}

/** Saves the provider's form of a draft, which opens the application. */
export function saveForm(scope: OfficeScope, row: ApplicationRow, formId: string): Promise<ApplicationRow> {
  return scope.transaction(async (tx) => {
    const current = await lockApplication(tx, row.officeId, row.id);
    const openedBy = await openersOf(tx, scope, current);
    await writeAuditEntry(tx, scope, { action: 'merchant.open', subject: row.id });
    return changeApplication(tx, await openApplication(tx, scope, current, formId), { openedBy });
  });
}

async function createLink(ctx: OfficeCtx, row: ApplicationRow): Promise<HostedLink> {
  await endMarkedLinks(ctx, row.id);
  const ask = { language: ctx.language, links: linksOf(ctx, row) };
  // The provider was switched while the form was created.
  if (row.formId === null) throw new Refusal('merchant_forms_away', undefined, 5);
  const link = await ctx.providers.merchant.createLink(row.formId, ask);
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
