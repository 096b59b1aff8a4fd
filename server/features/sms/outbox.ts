import {
  isInRange,
  outboxActions,
  outboxStateOf,
  type OutboxAction,
  type OutboxState,
  type OutboxText,
} from '#contract/sms.ts';
import { textLimitNames, type TextProblem } from '#contract/queue.ts';
import type { OfficeCtx } from '#server/context.ts';
import {
  admitNewTime,
  admitText,
  announceTextChange,
  fillLink,
  insertTexts,
  moveText,
  noteTextOutcomes,
  quietHoursOf,
  refreshUnansweredOfText,
  refuseBlockedNumber,
  requireTextNumber,
  setTextColumns,
} from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest } from '#server/kit/http/versioned-reply.ts';
import { isProductSmsText, officeRow, type OfficeRow } from '#server/office-row.ts';
import { searchWordsOf } from '#server/search-words.ts';
import { freeTime } from './outbox-times.ts';
import { minuteOf } from './spread-texts.ts';
import { countByState, lockSends, lockText, outboxPage, outboxRow, type OutboxRow, type OutboxSearch } from './sql.ts';

const pageSize = 50;
/** Who releases a text that was held for one of these must be allowed to send it now, and so must a practice that is not confirmed. */
const recheckedProblems: readonly TextProblem[] = [...textLimitNames, 'practice-limited'];
const countedDays = 30;
/** Words of a search that count. */
const mostWords = 8;

/** A page of the office's texts, the latest first; of those that a search finds. */
export async function listOutbox(
  ctx: OfficeCtx,
  query: { search?: string; state?: OutboxState | undefined; before?: string | undefined },
  conditional: ConditionalRequest,
) {
  return ctx.transaction(async (tx) => {
    const since = new Date(ctx.now().getTime() - countedDays * 86_400_000);
    const [office, rows, counts] = await Promise.all([
      officeRow(tx, ctx.officeId),
      outboxPage(tx, ctx.officeId, {
        search: outboxSearchOf(query.search ?? ''),
        state: query.state,
        before: cursorOf(query.before),
        size: pageSize,
      }),
      countByState(tx, ctx.officeId, since),
    ]);
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    const body = {
      texts: shown.map((row) => toOutboxText(office, row)),
      next: last ? `${last.sendAt.getTime()}_${last.id}` : null,
      counts,
    };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'text.read', subject: 'outbox' });
    return versionedReply(body, conditional, { onSend });
  });
}

/** Nothing but a number, in any spelling, is looked for in the numbers; anything else in the names of patients. */
function outboxSearchOf(search: string): OutboxSearch {
  const digits = search.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  const isNumber = digits !== '' && /^[+\d\s().-]+$/.test(search);
  if (isNumber) return { digits, words: [], isWordless: false };
  const words = searchWordsOf(search).slice(0, mostWords);
  return { digits: null, words, isWordless: words.length === 0 && search.trim() !== '' };
}

function cursorOf(before: string | undefined): { sendAt: Date; id: string } | null {
  const [ms, id] = before?.split('_') ?? [];
  if (ms === undefined || id === undefined) return null;
  const sendAt = new Date(Number(ms));
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  if (!isUuid || Number.isNaN(sendAt.getTime()) || sendAt.getUTCFullYear() > 9999) throw new Refusal('invalid_input');
  return { sendAt, id };
}

/** The state of a text, without its number and body. */
export async function textOutcome(ctx: OfficeCtx, id: string) {
  const row = await ctx.transaction((tx) => outboxRow(tx, ctx.officeId, id));
  if (!row) throw new Refusal('text_not_found');
  const { state, errorClass: problem, limitedUntil } = row;
  return { id, state: outboxStateOf(state, problem), problem, limitedUntil: limitedUntil?.toISOString() ?? null };
}

/** Changes the body or the time of a text that waits to be sent. A time in quiet hours or in a full minute becomes a later one. */
export async function changeText(
  ctx: OfficeCtx,
  id: string,
  { message, sendAt }: { message?: string | undefined; sendAt?: string | undefined },
): Promise<OutboxText> {
  const body = message?.trim();
  if (body === '') throw new Refusal('empty_message');
  const at = sendAt === undefined ? undefined : new Date(sendAt);
  if (at && !isInRange(at, ctx.now())) throw new Refusal('invalid_delivery_options');
  return actOnText(ctx, id, 'change', async (tx, office, row) => {
    const isOwn = body !== undefined && !isProductSmsText(office, ctx.env.publicUrl, body);
    if (isOwn && office.confirmedAt === null) throw new Refusal('limited_own_words');
    if (body === undefined && !at) return id;
    const free = at && (await freeTime(tx, ctx, office, { text: row, wanted: at }));
    if (free === null) throw new Refusal('after_appointment');
    if (free) await admitNewTime(tx, ctx, office, { phone: row.toPhone, before: row.sendAt, sendAt: free });
    await setTextColumns(tx, ctx.officeId, id, {
      ...(body !== undefined && { body }),
      ...(free && { sendAt: free, retryAt: null }),
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

/**
 * Sends a held text now, or after quiet hours; it stays held if that is after its appointment. One that a limit held back is counted again,
 * so that the limit still holds, and so is one of a practice that is limited by now.
 */
export function releaseText(ctx: OfficeCtx, id: string): Promise<OutboxText> {
  return actOnText(ctx, id, 'release', async (tx, office, row) => {
    const sendAt = await freeTime(tx, ctx, office, { text: row, wanted: ctx.now() });
    if (sendAt === null) {
      await setTextColumns(tx, ctx.officeId, id, { errorClass: 'after-appointment', limitedUntil: null });
      return id;
    }
    if (office.confirmedAt === null || recheckedProblems.some((name) => name === row.errorClass)) {
      const { kind, visitId, body, toPhone } = row;
      const isCustom = kind === 'message' && !isProductSmsText(office, ctx.env.publicUrl, body);
      const text = { kind, visitId, patientId: null, toPhone, body, isCustom };
      const limit = await admitText(tx, ctx, office, text);
      if (limit) throw limit.refusal;
    }
    await moveText(tx, { officeId: ctx.officeId, id }, 'letGo', { errorClass: null });
    await setTextColumns(tx, ctx.officeId, id, { sendAt, limitedUntil: null, retryAt: null });
    return id;
  });
}

/** Sends a failed text again as a new one; the failed one stays in the outbox. */
export function retryText(ctx: OfficeCtx, id: string): Promise<OutboxText> {
  return actOnText(ctx, id, 'retry', async (tx, office, row) => {
    const { toPhone, body, appointmentAt } = row;
    await refuseBlockedNumber(tx, ctx.officeId, toPhone);
    const sendAt = await freeTime(tx, ctx, office, { text: row, wanted: ctx.now(), isCounted: true });
    if (sendAt === null) throw new Refusal('after_appointment');
    const isCustom = !isProductSmsText(office, ctx.env.publicUrl, body);
    const limit = await admitText(tx, ctx, office, {
      kind: 'message',
      visitId: null,
      patientId: null,
      toPhone,
      body,
      isCustom,
    });
    if (limit) throw limit.refusal;
    const again = ctx.id();
    await insertTexts(tx, ctx.officeId, {
      from: requireTextNumber(office),
      body,
      at: ctx.now(),
      by: ctx.caller.personName,
      sendId: null,
      ids: [again],
      phones: [toPhone],
      sendAt: [sendAt.getTime()],
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
  act: (tx: Tx, office: OfficeRow, row: OutboxRow) => Promise<string>,
): Promise<OutboxText> {
  return ctx.transaction(async (tx) => {
    // Two changes at the same moment must not take the last place of a minute twice.
    await lockSends(tx, ctx.officeId);
    const office = await officeRow(tx, ctx.officeId);
    const isThere = await lockText(tx, ctx.officeId, id);
    const row = isThere ? await outboxRow(tx, ctx.officeId, id) : undefined;
    if (!row) throw new Refusal('text_not_found');
    const text = toOutboxText(office, row);
    if (!text.actions.includes(action)) throw new Refusal('text_moved_on', text);
    const changed = await act(tx, office, row);
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
    if (action === 'cancel') await refreshUnansweredOfText(tx, ctx.officeId, id);
    await sendHint(tx, { office: ctx.officeId, type: 'messages' });
    return toOutboxText(office, (await outboxRow(tx, ctx.officeId, changed)) ?? row);
  });
}

function toOutboxText(office: OfficeRow, row: OutboxRow): OutboxText {
  const { state, errorClass: problem, needsLink } = row;
  const isOwnSend = row.sendBy !== null;
  const isNotice = row.kind === 'notice';
  return {
    id: row.id,
    phone: row.toPhone,
    name: `${row.firstName ?? ''} ${row.lastName ?? ''}`.trim(),
    // Anybody who has the link can act as the patient.
    body: needsLink ? fillLink(row.body, '…') : row.body,
    state: outboxStateOf(state, problem),
    problem,
    limitedUntil: row.limitedUntil?.toISOString() ?? null,
    sendAt: row.sendAt.toISOString(),
    inQuietHours:
      state === 'queued' &&
      row.kind === 'message' &&
      quietHoursOf(office)(minuteOf(row.sendAt.getTime()), row.toPhone) !== null,
    sentAt: row.sentAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    actions: outboxActions({ state, problem, isOwnSend, isNotice, needsLink, retried: row.retriedAt !== null }),
  };
}
