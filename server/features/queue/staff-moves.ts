import type * as z from 'zod/mini';
import {
  endReasons,
  moveOfAction,
  type EndReason,
  type moveVisit as MoveVisitCall,
  type OpenedVisit,
  type QueueEntry,
  type VisitMessage,
} from '#contract/queue.ts';
import type { OfficeCtx } from '#server/context.ts';
import { fillLink, missingPictureOf, quietHoursNow, waitingUntil } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { isOwnOfficeName } from '#server/own-office-name.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { contactNameOf, entryOf, eventsOf, findVisitId } from './sql.ts';
import { moveVisit } from './make-move.ts';
import { memberFormsOf } from './member-forms.ts';
import { textsOfButtons } from './text-previews.ts';
import { linkLabel } from './text-templates.ts';
import { newestMessagesOf, type VisitMessageRow } from './visit-messages-sql.ts';

type MoveRequest = z.output<NonNullable<typeof MoveVisitCall.body>>;

/** `POST /virtual-queue/` names the new status; which move that means depends on the visit's current status. */
export async function moveByStaff(ctx: OfficeCtx, request: MoveRequest): Promise<QueueEntry> {
  const { relatedNpi = ctx.npi } = request;
  // The panel names the current NPI with each move: no look-up for that.
  if (relatedNpi !== ctx.npi && !(await ctx.transaction((tx) => isOwnOfficeName(tx, ctx, relatedNpi))))
    throw new Refusal('visit_not_found');
  const visitId = await findRequestedVisit(ctx, request);
  if (!visitId) throw new Refusal('visit_not_found');
  return moveVisit(ctx, visitId, (visit) => moveOfAction(request.action, visit.status), {
    version: request.version,
    ...readNotes(request.notes),
  });
}

/** Finds the visit by its id, by the pair `userCode` and `dateTime`, or by both if they mean the same visit. */
async function findRequestedVisit(
  ctx: OfficeCtx,
  { id, userCode, dateTime }: MoveRequest,
): Promise<string | undefined> {
  if (userCode === undefined || dateTime === undefined) {
    if (id === undefined) throw new Refusal('invalid_input');
    return id;
  }
  const found = await ctx.transaction((tx) => findVisitId(tx, ctx.officeId, userCode, new Date(dateTime)));
  return id === undefined || id === found ? found : undefined;
}

function readNotes(notes: string | undefined): { reason?: EndReason; note?: string } {
  const reason = endReasons.find((known) => known === notes);
  return reason ? { reason } : notes ? { note: notes } : {};
}

/** One visit with its messages and history, for the detail panel. */
export async function readVisit(ctx: OfficeCtx, visitId: string): Promise<OpenedVisit> {
  return ctx.transaction(async (tx) => {
    const visit = await entryOf(tx, ctx.officeId, visitId);
    if (!visit) throw new Refusal('visit_not_found');
    await writeAuditEntry(tx, ctx, { action: 'visit.read', subject: visitId });
    const { messages, hasOlder } = await newestMessagesOf(tx, ctx.officeId, visitId);
    const events = await eventsOf(tx, ctx.officeId, visitId);
    const reply = messages.findLast(({ sender }) => sender === 'patient');
    return {
      visit,
      contactName: await contactNameOf(tx, ctx.officeId, visitId),
      quiet: await quietHoursNow(tx, ctx, visit.username),
      memberForms: await memberFormsOf(tx, ctx.officeId, visitId, visit.forms),
      ...(await textsOfButtons(tx, ctx, visit)),
      newestReply: reply ? { conversationId: reply.conversationId, sequence: reply.sequence } : null,
      messages: messages.map((m) => ({
        id: m.id,
        at: m.at.toISOString(),
        from: m.sender === 'patient' ? 'patient' : 'office',
        by: m.byName,
        kind: m.kind,
        body: m.kind === 'message' ? m.body : fillLink(m.body, linkLabel[visit.language]),
        state: m.state,
        problem: m.errorClass,
        limitedUntil: m.limitedUntil?.toISOString() ?? null,
        sendAt: waitingUntil(m, ctx.now()),
        picture: pictureOf(m),
        missingPicture: missingPictureOf(m),
        textId: m.textId,
        askedForm: m.askedForm,
      })),
      hasOlderMessages: hasOlder,
      history: events.map((e) => ({
        at: e.at.toISOString(),
        move: e.move,
        from: e.fromStatus,
        to: e.toStatus,
        by: e.actor,
        byName: e.actorName,
        note: e.note,
      })),
    };
  });
}

function pictureOf({ fileId, conversationId, width, height }: VisitMessageRow): VisitMessage['picture'] {
  return fileId !== null && width !== null && height !== null ? { id: fileId, conversationId, width, height } : null;
}
