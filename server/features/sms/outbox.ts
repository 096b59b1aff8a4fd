import {
  isInRange,
  outboxActions,
  outboxStateOf,
  type OutboxAction,
  type OutboxState,
  type OutboxText,
} from '#contract/sms.ts';
import { textLimitNames } from '#contract/queue.ts';
import type { OfficeCtx } from '#server/context.ts';
import {
  admitText,
  announceTextChange,
  fillLink,
  moveText,
  noteTextOutcomes,
  refuseBlockedNumber,
  requireTextNumber,
} from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow, productSmsText } from '#server/office-row.ts';
import { countByState, insertTexts, lockText, outboxPage, outboxRow, setTextColumns, type OutboxRow } from './sql.ts';

const pageSize = 50;
const countedDays = 30;

/** A page of the office's texts, the latest first. */
export async function listOutbox(
  ctx: OfficeCtx,
  query: { state?: OutboxState | undefined; before?: string | undefined },
) {
  return ctx.transaction(async (tx) => {
    await writeAuditEntry(tx, ctx, { action: 'text.read', subject: 'outbox' });
    const since = new Date(ctx.now().getTime() - countedDays * 86_400_000);
    const [rows, counts] = await Promise.all([
      outboxPage(tx, ctx.officeId, { state: query.state, before: cursorOf(query.before), size: pageSize }),
      countByState(tx, ctx.officeId, since),
    ]);
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    return { texts: shown.map(toOutboxText), next: last ? `${last.sendAt.getTime()}_${last.id}` : null, counts };
  });
}

function cursorOf(before: string | undefined): { sendAt: Date; id: string } | null {
  const [ms, id] = before?.split('_') ?? [];
  if (ms === undefined || id === undefined) return null;
  const sendAt = new Date(Number(ms));
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  if (!isUuid || Number.isNaN(sendAt.getTime()) || sendAt.getUTCFullYear() > 9999) throw new Refusal('invalid_input');
  return { sendAt, id };
}

/** What has become of a text, without its number and words. */
export async function textOutcome(ctx: OfficeCtx, id: string) {
  const row = await ctx.transaction((tx) => outboxRow(tx, ctx.officeId, id));
  if (!row) throw new Refusal('text_not_found');
  const { state, problem, limitedUntil } = toOutboxText(row);
  return { id, state, problem, limitedUntil };
}

/** Changes the words or the time of a text that waits to be sent. */
export async function changeText(
  ctx: OfficeCtx,
  id: string,
  { message, sendAt }: { message?: string | undefined; sendAt?: string | undefined },
): Promise<OutboxText> {
  const body = message?.trim();
  if (body === '') throw new Refusal('empty_message');
  const at = sendAt === undefined ? undefined : new Date(sendAt);
  if (at && !isInRange(at, ctx.now())) throw new Refusal('invalid_delivery_options');
  return actOnText(ctx, id, 'change', async (tx) => {
    const office = await officeRow(tx, ctx.officeId);
    const isOwn = body !== undefined && body !== productSmsText(office, ctx.env.publicUrl);
    if (isOwn && office.confirmedAt === null) throw new Refusal('limited_own_words');
    if (body === undefined && !at) return id;
    await setTextColumns(tx, ctx.officeId, id, {
      ...(body !== undefined && { body }),
      ...(at && { sendAt: at, retryAt: null }),
    });
    return id;
  });
}

export function cancelText(ctx: OfficeCtx, id: string): Promise<OutboxText> {
  return actOnText(ctx, id, 'cancel', async (tx) => {
    await moveText(tx, { officeId: ctx.officeId, id }, 'cancel');
    return id;
  });
}

/** Sends a held text now. One that a limit held back is counted again, so that the limit still holds. */
export function releaseText(ctx: OfficeCtx, id: string): Promise<OutboxText> {
  return actOnText(ctx, id, 'release', async (tx, row) => {
    if ((textLimitNames as readonly (string | null)[]).includes(row.errorClass)) {
      const office = await officeRow(tx, ctx.officeId);
      const { kind, visitId, body } = row;
      const text = { kind, visitId, patientId: null, toPhone: row.toPhone, body, ownWords: kind === 'message' };
      const limit = await admitText(tx, ctx, office, text);
      if (limit) throw limit.refusal;
    }
    await moveText(tx, { officeId: ctx.officeId, id }, 'letGo', { errorClass: null });
    await setTextColumns(tx, ctx.officeId, id, { sendAt: ctx.now(), limitedUntil: null, retryAt: null });
    return id;
  });
}

/** Sends a failed text again as a new one; the failed one stays in the outbox. */
export function retryText(ctx: OfficeCtx, id: string): Promise<OutboxText> {
  return actOnText(ctx, id, 'retry', async (tx, { toPhone, body, appointmentAt }) => {
    await refuseBlockedNumber(tx, ctx.officeId, toPhone);
    const office = await officeRow(tx, ctx.officeId);
    const ownWords = body !== productSmsText(office, ctx.env.publicUrl);
    const limit = await admitText(tx, ctx, office, {
      kind: 'message',
      visitId: null,
      patientId: null,
      toPhone,
      body,
      ownWords,
    });
    if (limit) throw limit.refusal;
    const again = ctx.id();
    await insertTexts(tx, ctx.officeId, {
      from: requireTextNumber(office),
      body,
      at: ctx.now(),
      by: ctx.caller.personName,
      ids: [again],
      phones: [toPhone],
      sendAt: [ctx.now().getTime()],
      appointmentAt: [appointmentAt?.getTime() ?? null],
    });
    await setTextColumns(tx, ctx.officeId, id, { retriedAt: ctx.now() });
    return again;
  });
}

/** Locks the text, refuses what its state does not allow, acts, writes the audit entry and tells the open panels. */
async function actOnText(
  ctx: OfficeCtx,
  id: string,
  action: OutboxAction,
  act: (tx: Tx, row: OutboxRow) => Promise<string>,
): Promise<OutboxText> {
  return ctx.transaction(async (tx) => {
    if (!(await lockText(tx, ctx.officeId, id))) throw new Refusal('text_not_found');
    const row = (await outboxRow(tx, ctx.officeId, id)) as OutboxRow;
    const text = toOutboxText(row);
    if (!text.actions.includes(action)) throw new Refusal('text_moved_on', text);
    const changed = await act(tx, row);
    await writeAuditEntry(tx, ctx, {
      action: action === 'retry' ? 'text.send' : 'text.change',
      subject: row.visitId ?? changed,
      details: { move: action },
    });
    if (row.visitId !== null) await announceTextChange(tx, ctx.officeId, [row.visitId]);
    await sendHint(tx, { type: 'text' });
    await sendHint(tx, { office: ctx.officeId, type: 'outbox' });
    // Somebody took care of it. Last, because every transaction locks conversations last.
    if (action !== 'change') await noteTextOutcomes(tx, ctx.officeId, [id], false);
    await sendHint(tx, { office: ctx.officeId, type: 'messages' });
    return toOutboxText((await outboxRow(tx, ctx.officeId, changed)) as OutboxRow);
  });
}

function toOutboxText(row: OutboxRow): OutboxText {
  const { state, errorClass: problem, needsLink } = row;
  const isOwnSend = row.sendBy !== null;
  const isMessage = row.kind === 'message' && row.visitId === null;
  return {
    id: row.id,
    phone: row.toPhone,
    name: `${row.firstName ?? ''} ${row.lastName ?? ''}`.trim(),
    // Whoever has the link can act as the patient.
    body: needsLink ? fillLink(row.body, '…') : row.body,
    state: outboxStateOf(state, problem),
    problem,
    limitedUntil: row.limitedUntil?.toISOString() ?? null,
    sendAt: row.sendAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    actions: outboxActions({ state, problem, isOwnSend, isMessage, needsLink, retried: row.retriedAt !== null }),
  };
}
