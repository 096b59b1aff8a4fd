import {
  callbackMoves,
  mayWithdraw,
  type CallbackMove,
  type CallbackReason,
  type CallbackSort,
  type NurseCallback,
} from '#contract/ambulatory/callbacks.ts';
import { callbacksPerPage } from '#contract/ambulatory/shapes.ts';
import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { callbackPushStatement } from '#server/features/push/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { officeRow } from '#server/office-row.ts';
import {
  callbackById,
  callbackPage,
  callbacksOf,
  countCallbacks,
  deleteCallback,
  insertCallback,
  lockCallback,
  lockOpenCallback,
  setCallback,
  toCallback,
  type LockedCallback,
} from './callback-sql.ts';
import { lockEpisode, type EpisodeRow } from './episode-sql.ts';
import { requireEpisode, type PatientKey } from './patients.ts';
import { daysBetween } from './survey-times.ts';

/** One page of the callbacks that wait, or of the closed ones. */
export async function listCallbacks(
  ctx: OfficeCtx,
  query: {
    state?: 'waiting' | 'closed' | undefined;
    sort?: CallbackSort | undefined;
    order?: 'asc' | 'desc' | undefined;
    page?: string | undefined;
  },
  conditional: ConditionalRequest,
) {
  const { sort = 'waiting' } = query;
  const closed = query.state === 'closed';
  const isLongestFirst = sort === 'name' || (sort === 'waiting' && !closed);
  const { order = isLongestFirst ? 'asc' : 'desc' } = query;
  return ctx.transaction(async (tx) => {
    const counts = await countCallbacks(tx, ctx.officeId);
    const total = closed ? counts.closed : counts.waiting;
    const page = Math.min(Number(query.page ?? 1), Math.max(1, Math.ceil(total / callbacksPerPage)));
    const rows = await callbackPage(tx, ctx.officeId, { closed, sort, order, page });
    const version = {
      callbacks: rows.map(toCallback),
      total,
      page,
      pageSize: callbacksPerPage,
      open: counts.open,
    };
    return versionedReply({ ...version, now: ctx.now().toISOString() }, conditional, {
      onSend: () => writeAuditEntry(tx, ctx, { action: 'callback.list', details: { closed } }),
      version,
    });
  });
}

/** How many callbacks wait. It discloses nobody, so it gets no audit entry. */
export async function readCallbackCount(
  ctx: OfficeCtx,
  conditional: ConditionalRequest,
): Promise<VersionedReply<{ open: number; waiting: number; newsAt: string | null }>> {
  const { open, waiting, newsAt } = await ctx.transaction((tx) => countCallbacks(tx, ctx.officeId));
  return versionedReply({ open, waiting, newsAt: newsAt?.toISOString() ?? null }, conditional);
}

/**
 * Asks a nurse to call a patient. Reasons join an open callback; one that a nurse has taken is left as it is, and another one is raised. The
 * same answer in another survey is another reason. The caller holds the episode's lock. Every panel rings, and subscribed browsers get a push.
 */
export async function raiseCallback(
  tx: Tx,
  scope: OfficeScope,
  episode: Pick<EpisodeRow, 'officeId' | 'id' | 'heldOn'>,
  reasons: readonly CallbackReason[],
): Promise<string> {
  const { officeId } = scope;
  const at = scope.now();
  const open = await lockOpenCallback(tx, officeId, episode.id);
  const askedAt = scope.actor.kind === 'patient' && reasons.some(({ code }) => code === 'asked') ? at : null;
  const id = open?.id ?? scope.id();
  if (open) {
    const added = reasons.filter((reason) => !open.reasons.some((known) => isSameReason(known, reason)));
    if (added.length === 0 && (askedAt === null || open.askedAt !== null)) return id;
    const all = JSON.stringify([...open.reasons, ...added]);
    await setCallback(tx, officeId, id, { reasons: all, askedAt: open.askedAt ?? askedAt, newsAt: at });
  } else {
    const day = daysBetween(episode.heldOn, dayOf(at, (await officeRow(tx, officeId)).timeZone));
    const callback = {
      officeId,
      id,
      episodeId: episode.id,
      state: 'open',
      raisedAt: at,
      newsAt: at,
      day,
      askedAt: askedAt,
    } as const;
    await insertCallback(tx, { ...callback, reasons: JSON.stringify(reasons) });
  }
  const codes = reasons.map(({ code }) => code).join(' ');
  await writeAuditEntry(tx, scope, { action: 'callback.raise', subject: id, details: { reasons: codes } });
  await callbackPushStatement(tx, officeId, at).execute();
  await sendHint(tx, { office: officeId, type: 'callback', arrived: true });
  await sendHint(tx, { office: officeId, type: 'ambu' });
  return id;
}

const isSameReason = (one: CallbackReason, other: CallbackReason) =>
  one.code === other.code && one.detail.en === other.detail.en && one.day === other.day;

/** Asks for a call because of a survey's answers; what a callback has been raised for already is not raised again. */
export async function raiseForSurvey(
  tx: Tx,
  scope: OfficeScope,
  episode: Pick<EpisodeRow, 'officeId' | 'id' | 'heldOn'>,
  reasons: readonly CallbackReason[],
): Promise<void> {
  const raised = (await callbacksOf(tx, scope.officeId, episode.id)).flatMap((callback) => callback.reasons);
  const added = reasons.filter((reason) => !raised.some((known) => isSameReason(known, reason)));
  if (added.length > 0) await raiseCallback(tx, scope, episode, added);
}

/** Somebody of the office asks for a call: the reason names them. */
export async function raiseByDesk(ctx: OfficeCtx, key: PatientKey): Promise<NurseCallback> {
  return ctx.transaction(async (tx) => {
    const episode = await requireEpisode(tx, ctx, key);
    const { personName } = ctx.caller;
    const reason = { code: 'requested', detail: { en: personName, es: personName } } as const;
    return shownCallback(tx, ctx, await raiseCallback(tx, ctx, episode, [reason]));
  });
}

async function shownCallback(tx: Tx, { officeId }: OfficeCtx, id: string): Promise<NurseCallback> {
  const row = await callbackById(tx, officeId, id);
  if (!row) throw new Refusal('callback_not_found');
  return toCallback(row);
}

/**
 * Takes, takes over, releases, closes or withdraws a callback. Only the nurse who has it may release or close it, and only what nobody but the
 * office wanted may be withdrawn.
 */
export async function moveCallback(
  ctx: OfficeCtx,
  id: string,
  { move, version, note = '' }: { move: CallbackMove; version: number; note?: string | undefined },
): Promise<NurseCallback> {
  return ctx.transaction(async (tx) => {
    const shown = await callbackById(tx, ctx.officeId, id);
    // The episode first, as whoever raises a callback does.
    if (shown) await lockEpisode(tx, ctx.officeId, shown.episodeId);
    const callback = await lockCallback(tx, ctx.officeId, id);
    if (!callback) throw new Refusal('callback_not_found');
    const { from, to } = callbackMoves[move];
    const me = { id: ctx.caller.personId, name: ctx.caller.personName };
    const isMine = callback.takenBy === me.id;
    const isForHolder = move === 'release' || move === 'close';
    const isAllowed = move === 'withdraw' ? mayWithdraw(callback) : !isForHolder || isMine;
    const mayMove = (from as readonly string[]).includes(callback.state) && isAllowed;
    if (callback.version !== version || !mayMove)
      throw new Refusal('callback_moved_on', await shownCallback(tx, ctx, id));
    if (move === 'close' && note.trim() === '') throw new Refusal('callback_needs_note');

    const at = ctx.now();
    const taker = { takenBy: me.id, takenByName: me.name, takenAt: at };
    const closed = { closedBy: me.id, closedByName: me.name, closedAt: at };
    const changes = {
      take: taker,
      takeOver: taker,
      release: { takenBy: null, takenByName: null, takenAt: null },
      close: { ...closed, note: note.trim() },
      withdraw: closed,
    } as const;
    const joined = move === 'release' ? await joinNewerCallback(tx, callback) : {};
    await setCallback(tx, ctx.officeId, id, { state: to, ...changes[move], ...joined });
    await writeAuditEntry(tx, ctx, { action: 'callback.move', subject: id, details: { move } });
    for (const type of ['callback', 'ambu']) await sendHint(tx, { office: ctx.officeId, type });
    return shownCallback(tx, ctx, id);
  });
}

/** A released callback is merged with one that was raised since it was taken, because an episode has one open callback. */
async function joinNewerCallback(tx: Tx, { officeId, episodeId, reasons, askedAt }: LockedCallback) {
  const newer = await lockOpenCallback(tx, officeId, episodeId);
  if (!newer) return {};
  await deleteCallback(tx, officeId, newer.id);
  const added = newer.reasons.filter((reason) => !reasons.some((known) => isSameReason(known, reason)));
  return { reasons: JSON.stringify([...reasons, ...added]), askedAt: askedAt ?? newer.askedAt, newsAt: newer.newsAt };
}
