import type { OfficeScope } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { describeError } from '#server/kit/log.ts';
import { oneLine } from '#server/kit/look-alike-letters.ts';
import { applicationById, changeApplication, latestApplication, lockApplication, memberOf } from './sql.ts';
import type { ApplicationRow } from './sql.ts';

const mostOpeners = 20;

/**
 * Who opened the form, with whoever is about to get a link to it. The application is locked, as it is while a member is being removed:
 * whoever was removed meanwhile gets no link.
 */
export async function openersOf(tx: Tx, { actor }: OfficeScope, row: ApplicationRow): Promise<string[]> {
  if (actor.kind !== 'staff') return row.openedBy;
  const member = await memberOf(tx, row.officeId, actor.id);
  if (!member) throw new Refusal('office_not_found');
  // People change their own names; the practice knows the address or number.
  const known = member.email ?? member.phone;
  const opener = [oneLine(actor.name), ...(known === null ? [] : [`(${known})`])].join(' ').trim();
  return [...new Set([...row.openedBy, opener])].slice(-mostOpeners);
}

/** Ends the links to the office's hosted form after a member was removed. What the provider does not end now, a job tries again. */
export async function endMerchantLinks(scope: OfficeScope): Promise<void> {
  const row = await scope.transaction((tx) => latestApplication(tx, scope.officeId));
  if (!row) return;
  await endMarkedLinks(scope, row.id).catch((error: Error) =>
    scope.log.warn({ application: row.id, err: describeError(error) }, 'links to a form have not ended; to be retried'),
  );
}

/** Ends the links of an application at the provider, if they are marked for it. */
export async function endMarkedLinks(scope: OfficeScope, id: string): Promise<void> {
  const row = await scope.transaction((tx) => applicationById(tx, scope.officeId, id));
  if (!row?.linksEndAt || row.formId === null) return;
  const { merchant } = scope.providers;
  if (row.provider === merchant.name) await merchant.endLinks(row.formId);
  await scope.transaction(async (tx) => {
    const current = await lockApplication(tx, row.officeId, row.id);
    // Marked again meanwhile: there may be newer links.
    if (current.linksEndAt?.getTime() === row.linksEndAt?.getTime())
      await changeApplication(tx, current, { linksEndAt: null });
  });
}
