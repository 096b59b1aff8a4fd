import type { TextBlock, TextProblem, TextState } from '#contract/queue.ts';
import { textMoves, type TextMove, type TextReport } from '#contract/texting.ts';
import { systemActor, type OfficeScope, type Services } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { officeRow } from '#server/office-row.ts';
import { bumpQueueForVisits } from '#server/queue-version.ts';
import { runTogether, sendHint } from '#server/kit/db/statements.ts';
import { hasMessage, messageStatement, troubledStates } from './message-sql.ts';
import { addLandline, shownVisitsOf } from './landline-sql.ts';
import { failUnsentTexts, moveText, type MovedText, type TextChanges } from './ledger-sql.ts';
import { addOptOut, hasStartedSince } from './opt-out-sql.ts';
import { noteTextOutcomes } from './sql.ts';

/** Outcomes with an audit entry. Success is shown on the message itself. */
const auditedMoves: readonly TextMove[] = ['fail', 'hold', 'letGo', 'giveUp'];

/** After these the carrier has the text, or it will never have it. */
const leavingMoves: readonly TextMove[] = ['send', 'deliver', 'fail', 'giveUp'];

/** Commits a text's move and notifies the panel and the phone; false if the text was moved before. */
export async function commitTextMove(
  services: Services,
  text: { officeId: string; id: string; worker?: string },
  move: TextMove,
  changes: TextChanges = {},
): Promise<boolean> {
  const { officeId, id } = text;
  const scope = officeScope(services, officeId, systemActor, `text:${id}`);
  return scope.transaction(async (tx) => {
    const moved = await moveText(tx, text, move, changes);
    if (!moved) return false;
    if (auditedMoves.includes(move)) {
      const details = { move, errorClass: changes.errorClass ?? null };
      await writeAuditEntry(tx, scope, { action: 'text.outcome', subject: moved.visitId ?? id, details });
    }
    const block = move === 'fail' ? await learnBlock(tx, scope, moved, changes.errorClass) : null;
    const others = block ? await failUnsentTexts(tx, officeId, moved.toPhone, block) : [];
    const blocked = block ? await shownVisitsOf(tx, officeId, moved.toPhone, await todayOf(tx, scope)) : [];
    const visits = [...[moved, ...others].flatMap(({ visitId }) => visitId ?? []), ...blocked];
    if (visits.length > 0) await announceTextChange(tx, officeId, visits);
    else await sendHint(tx, { office: officeId, type: 'messages' });
    const isTroubled = troubledStates.includes(textMoves[move].to);
    if (moved.sendBy !== null && leavingMoves.includes(move))
      await placeSentText(tx, scope, id, { ...moved, sendBy: moved.sendBy });
    await noteTextOutcomes(tx, officeId, [id, ...others.map((text) => text.id)], isTroubled);
    return true;
  });
}

async function todayOf(tx: Tx, scope: OfficeScope): Promise<string> {
  return dayOf(scope.now(), (await officeRow(tx, scope.officeId)).timeZone);
}

/**
 * Adds a text of Send SMS to its person's conversation, once. Not before it leaves: a list that is scheduled for next week, or canceled,
 * would stand in thousands of conversations.
 */
async function placeSentText(
  tx: Tx,
  scope: OfficeScope,
  id: string,
  text: { toPhone: string; body: string; sendBy: string; state: TextState },
): Promise<void> {
  if (await hasMessage(tx, scope.officeId, id)) return;
  const { toPhone: phone, body, sendBy, state } = text;
  const byName = sendBy === '' ? null : sendBy;
  const reply = { phone, visitId: null, sender: 'doctor', kind: 'message', body, byName } as const;
  const message = messageStatement(tx, scope, { ...reply, text: { id, state }, isAnswer: false });
  await runTogether(tx, { statements: [], last: [message], hints: [] });
}

/**
 * Remembers what the carrier says of a number: it is a landline, or it sent STOP to the carrier alone, which blocks it there. Returns why the
 * number gets no more texts; null if it still does.
 */
async function learnBlock(
  tx: Tx,
  scope: OfficeScope,
  { toPhone: phone, sendAt }: MovedText,
  problem: TextProblem | null | undefined,
): Promise<TextBlock | null> {
  const { officeId } = scope;
  if (problem === 'landline') {
    await addLandline(tx, { officeId, id: scope.id(), phone, reportedAt: scope.now() });
    return problem;
  }
  if (problem !== 'opted-out' || (await hasStartedSince(tx, officeId, phone, sendAt))) return null;
  await addOptOut(tx, scope, phone);
  return problem;
}

/** Commits the status that the carrier reports. */
export async function applyCarrierReport(
  services: Services,
  text: { officeId: string; id: string },
  report: Pick<TextReport, 'providerId' | 'state' | 'errorClass'>,
): Promise<boolean> {
  const at = services.now();
  const { providerId, state } = report;
  if (state === 'sent') return commitTextMove(services, text, 'send', { providerId, sentAt: at });
  if (state === 'delivered')
    return commitTextMove(services, text, 'deliver', { providerId, sentAt: at, deliveredAt: at });
  return commitTextMove(services, text, 'fail', { providerId, errorClass: report.errorClass ?? 'other' });
}

/** Bumps the queue's version and tells the office's panels and the visits' phones to fetch again. */
export async function announceTextChange(tx: Tx, officeId: string, visitIds: string[]): Promise<void> {
  const visits = [...new Set(visitIds)];
  if (visits.length === 0) return;
  await bumpQueueForVisits(tx, officeId, visits);
  for (const visit of visits) await sendHint(tx, { office: officeId, visit, type: 'message' });
}
