import type { TextMove, TextReport } from '#contract/texting.ts';
import type { Services } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { bumpQueueOf, moveText, type TextChanges } from './sql.ts';

/** The office should be able to look these up later; that a text went well is on the message. */
const recorded: readonly TextMove[] = ['fail', 'hold', 'letGo', 'giveUp'];

/** Writes what became of a text and tells the panel and the phone; false when the text had moved on already. */
export async function settle(
  services: Services,
  text: { officeId: string; id: string; worker?: string },
  move: TextMove,
  changes: TextChanges = {},
): Promise<boolean> {
  const { officeId, id } = text;
  const scope = officeScope(services, officeId, { kind: 'house', id: null, name: null }, `text:${id}`);
  return scope.transaction(async (tx) => {
    const moved = await moveText(tx, text, move, changes);
    if (!moved) return false;
    if (recorded.includes(move)) {
      const details = { move, errorClass: changes.errorClass ?? null };
      await writeAuditEntry(tx, scope, { action: 'text.outcome', subject: moved.visitId ?? id, details });
    }
    if (moved.visitId !== null) await showChange(tx, officeId, [moved.visitId]);
    return true;
  });
}

/** What the carrier says of a text, written down. */
export async function settleAsReported(
  services: Services,
  text: { officeId: string; id: string },
  report: Pick<TextReport, 'providerId' | 'state' | 'errorClass'>,
): Promise<boolean> {
  const at = services.now();
  const { providerId, state } = report;
  if (state === 'sent') return settle(services, text, 'send', { providerId, sentAt: at });
  if (state === 'delivered') return settle(services, text, 'deliver', { providerId, sentAt: at, deliveredAt: at });
  return settle(services, text, 'fail', { providerId, errorClass: report.errorClass ?? 'other' });
}

/** The queue's version moves on; the office's panels and the visits' phones look again. */
export async function showChange(tx: Tx, officeId: string, visitIds: string[]): Promise<void> {
  const visits = [...new Set(visitIds)];
  if (visits.length === 0) return;
  await bumpQueueOf(tx, officeId, visits);
  for (const visit of visits) await sendHint(tx, { office: officeId, visit, type: 'message' });
}

/** Our name for a text at the carrier: it comes back in reports and finds the office without a search. */
export const referenceOf = (text: { officeId: string; id: string }) => `${text.officeId}.${text.id}`;

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const reference = new RegExp(`^(${uuid})\\.(${uuid})$`);

/** The text a reference names; null when it is none of ours. */
export function textOfReference(given: string): { officeId: string; id: string } | null {
  const [, officeId, id] = reference.exec(given) ?? [];
  return officeId && id ? { officeId, id } : null;
}
