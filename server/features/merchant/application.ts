import { unlockedStep, type AddressAnswers, type DetailsAnswers, type MerchantForm } from '#contract/merchant.ts';
import type { OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { answerQuestion } from './payments-question.ts';
import { addApplication, changeApplication, latestApplication, lockApplication, type ApplicationRow } from './sql.ts';

export function readForm(scope: OfficeScope): Promise<MerchantForm> {
  return scope.transaction(async (tx) => toForm(tx, scope, await latestApplication(tx, scope.officeId)));
}

/** The practice wants card payments: answers the payments question with yes and begins an application, unless one is under way. */
export function begin(ctx: OfficeScope): Promise<MerchantForm> {
  return ctx.transaction(async (tx) => toForm(tx, ctx, await runningApplication(tx, ctx)));
}

/** The office's running application; begins one if there is none. */
export async function runningApplication(tx: Tx, ctx: OfficeScope): Promise<ApplicationRow> {
  await answerQuestion(tx, ctx, 'wanted');
  const provider = ctx.providers.merchant.name;
  const latest = await latestApplication(tx, ctx.officeId);
  if (latest && latest.state !== 'rejected') return moveToProvider(tx, latest, provider);
  const row = { officeId: ctx.officeId, id: ctx.id(), provider, begunBy: ctx.actor.id, begunAt: ctx.now() };
  const added = await addApplication(tx, row, latest);
  if (!added) return (await latestApplication(tx, ctx.officeId)) ?? Promise.reject(new Error('no application'));
  await writeAuditEntry(tx, ctx, { action: 'merchant.begin', subject: added.id });
  await sendHint(tx, { office: ctx.officeId, type: 'merchant' });
  return added;
}

/** A form that was begun at a provider that is not in use any more is begun again; its answers stay. */
async function moveToProvider(tx: Tx, row: ApplicationRow, provider: string): Promise<ApplicationRow> {
  if (row.provider === provider || (row.state !== 'draft' && row.state !== 'open')) return row;
  const changes = { provider, state: 'draft', formId: null, checkAt: null } as const;
  return changeApplication(tx, row, changes);
}

/** Saves answers of the first two steps. Once the hosted form is submitted, the provider has them and they stay. */
export async function saveAnswers(
  ctx: OfficeScope,
  answers: { addressAnswers?: AddressAnswers | undefined; detailsAnswers?: DetailsAnswers | undefined },
): Promise<MerchantForm> {
  return ctx.transaction(async (tx) => {
    const row = await lockApplication(tx, ctx.officeId, (await runningApplication(tx, ctx)).id);
    if (row.state !== 'draft' && row.state !== 'open') throw new Refusal('merchant_submitted');
    const { addressAnswers, detailsAnswers } = answers;
    if (!addressAnswers && !detailsAnswers) return toForm(tx, ctx, row);
    const saved = await changeApplication(tx, row, {
      ...(addressAnswers && { addressAnswers: JSON.stringify(addressAnswers) }),
      ...(detailsAnswers && { detailsAnswers: JSON.stringify(detailsAnswers) }),
    });
    const steps = Object.keys({ ...(addressAnswers && { address: 1 }), ...(detailsAnswers && { details: 1 }) });
    await writeAuditEntry(tx, ctx, { action: 'merchant.save', subject: row.id, details: { steps: steps.join(' ') } });
    await sendHint(tx, { office: ctx.officeId, type: 'merchant' });
    return toForm(tx, ctx, saved);
  });
}

export async function toForm(tx: Tx, scope: OfficeScope, row: ApplicationRow | undefined): Promise<MerchantForm> {
  const office = await officeRow(tx, scope.officeId);
  const answers = {
    addressAnswers: row?.addressAnswers ?? null,
    detailsAnswers: row?.detailsAnswers ?? null,
    identity: row?.identityId ?? null,
    bank: row?.bankOnFile ? { lastFour: row.bankLastFour } : null,
  };
  return {
    id: row?.id ?? null,
    state: row?.state ?? 'draft',
    unlockedStep: unlockedStep(answers),
    ...answers,
    transactions: row?.state === 'approved',
    formBegun: row?.state === 'open',
    submittedAt: row?.submittedAt?.toISOString() ?? null,
    decidedAt: row?.decidedAt?.toISOString() ?? null,
    suggested: {
      line1: office.addressLine1,
      city: office.city,
      state: office.state,
      zip: office.zip ?? '',
      legalName: office.name,
      email: office.email ?? '',
    },
  };
}
