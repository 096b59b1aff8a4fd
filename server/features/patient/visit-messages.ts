import type { PatientVisit } from '#contract/patient/visit.ts';
import type { VisitCtx } from '#server/context.ts';
import { messagePushStatement } from '#server/features/push/index.ts';
import { lockVisit, visitChangeStatements } from '#server/features/queue/index.ts';
import { closedAnswerStatements, messageStatement, withoutOwnLinks } from '#server/features/texting/index.ts';
import { isViolationOf } from '#server/kit/db/db.ts';
import { runTogether, sendHint } from '#server/kit/db/statements.ts';
import { takeInTransaction, type Limit } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { conversationOfPhone, messageOfPatient } from './sql.ts';
import { readVisitPage } from './visit-actions.ts';

/** Nobody types more for long; a broken or hostile page does. */
const perVisit = { name: 'patient-messages', points: 30, seconds: 600 } as const satisfies Limit;

/**
 * Adds a message that the patient wrote on the visit's page to the conversation with their number. Only a link that was texted may: otherwise
 * whoever typed the number could write in its owner's name.
 */
export async function writeToPractice(
  ctx: VisitCtx,
  message: { body: string; clientId: string },
): Promise<PatientVisit> {
  if (!ctx.proved) throw new Refusal('link_not_proved');
  const body = withoutOwnLinks(message.body.trim());
  if (body === '') throw new Refusal('empty_message');
  // The desk's own ids are of the same conversation.
  const clientId = `${ctx.visitId} ${message.clientId}`;
  await addMessage(ctx, { body, clientId }).catch((error: unknown) => {
    // A retry that overtook its first try: the message is there.
    if (!isViolationOf(error, 'message_client')) throw error;
  });
  const { page } = await readVisitPage(ctx, { live: true });
  if (!page) throw new Error('the page of a visit is missing');
  return page;
}

function addMessage(ctx: VisitCtx, { body, clientId }: { body: string; clientId: string }): Promise<void> {
  const { officeId, visitId } = ctx;
  return ctx.transaction(async (tx) => {
    const visit = await lockVisit(tx, officeId, visitId);
    if (!visit) throw new Refusal('visit_link_ended');
    if (await messageOfPatient(tx, officeId, { visitId, clientId })) return;
    const [usedUp] = await takeInTransaction(tx, ctx.now(), [[perVisit, `${officeId} ${visitId}`]]);
    if (usedUp) throw new Refusal('too_many_messages', undefined, usedUp.seconds);
    const { phone } = visit;
    const message = { phone, visitId, sender: 'patient', kind: 'message', body, clientId, channel: 'web' } as const;
    await runTogether(
      tx,
      visitChangeStatements(tx, ctx, visit, { action: 'message.receive', hint: 'message' }),
      {
        statements: [],
        last: [messagePushStatement(tx, officeId, ctx.now()), messageStatement(tx, ctx, message)],
        hints: [{ type: 'push' }, { office: officeId, type: 'messages' }],
      },
      await closedAnswerStatements(tx, ctx, { phone }),
    );
  });
}

/** Tells the desks that the patient is writing. */
export async function noteWritingByPatient(ctx: VisitCtx): Promise<{ noted: boolean }> {
  if (!ctx.proved) throw new Refusal('link_not_proved');
  return ctx.transaction(async (tx) => {
    const { officeId, visitId: visit } = ctx;
    const conversation = (await conversationOfPhone(tx, officeId, visit)) ?? null;
    await sendHint(tx, { office: officeId, visit, type: 'writing', writing: { conversation, person: null } });
    return { noted: true };
  });
}
