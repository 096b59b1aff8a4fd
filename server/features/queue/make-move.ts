import {
  defaultReasonOf,
  isHistory,
  mayMove,
  mayMoveBack,
  statusAfter,
  textsPatient,
  type EndReason,
  type Move,
  type QueueEntry,
} from '#contract/queue.ts';
import type { OfficeScope } from '#server/context.ts';
import { dayOf } from '#server/kit/day.ts';
import { isViolationOf, type Tx } from '#server/kit/db/db.ts';
import { runTogether, type Statements } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { autoInviteAt } from './auto-invite.ts';
import { visitChangeStatements } from './after-change.ts';
import { linkTextStatements } from './messages.ts';
import { eventStatement, entryOf, lockVisit, statusStatement, type Ending, type VisitRow } from './sql.ts';

/** What a caller may add to a move: the version they saw, the reason it ended, a note. */
export interface MoveDetails {
  version?: number | undefined;
  reason?: EndReason | undefined;
  note?: string | undefined;
}

/** Moves a visit in one transaction. Because of the row lock, a double click acts and texts once: the second gets 409 with the current visit. */
export async function moveVisit(
  scope: OfficeScope,
  visitId: string,
  pick: (visit: VisitRow) => Move,
  details: MoveDetails = {},
): Promise<QueueEntry> {
  return scope.transaction(async (tx) => {
    const [visit] = await Promise.all([lockVisit(tx, scope.officeId, visitId), officeRow(tx, scope.officeId)]);
    if (!visit) throw new Refusal('visit_not_found');
    await makeMove(tx, scope, visit, pick(visit), details);
    return (await entryOf(tx, scope.officeId, visitId)) as QueueEntry;
  });
}

/** Makes one move of a locked visit, if the contract's table allows it, with its event, text, audit entry and hint. */
export async function makeMove(
  tx: Tx,
  scope: OfficeScope,
  visit: VisitRow,
  move: Move,
  details: MoveDetails = {},
): Promise<void> {
  const isStale = details.version !== undefined && details.version !== visit.version;
  if (isStale || !mayMove({ statusCode: visit.status }, move) || (move === 'moveBack' && !isRecent(visit, scope)))
    throw new Refusal('visit_moved_on', await entryOf(tx, scope.officeId, visit.id));
  const office = await officeRow(tx, scope.officeId);
  if (!onAnyDay.includes(move) && visit.day !== dayOf(scope.now(), office.timeZone))
    throw new Refusal('visit_not_today', await entryOf(tx, scope.officeId, visit.id));

  const at = scope.now();
  const to = statusAfter({ statusCode: visit.status, statusBefore: visit.statusBefore }, move);
  const by = { kind: scope.actor.kind === 'house' ? 'operator' : scope.actor.kind, name: scope.actor.name } as const;
  const status = statusStatement(tx, visit, to, at, by, {
    invited: textsPatient(move),
    arrival: move === 'arrive' ? { autoInviteAt: autoInviteAt(office.queueSettings, at) } : null,
    ending: endingOf(move, to, details),
  });
  const event = eventStatement(tx, {
    id: scope.id(),
    officeId: scope.officeId,
    visitId: visit.id,
    at: at.toISOString(),
    move,
    from: visit.status,
    to,
    by: by.kind,
    byName: by.name,
    actorId: scope.actor.id,
    note: details.note ?? details.reason ?? null,
    version: visit.version + 1,
  });
  const texts: Statements[] = textsPatient(move)
    ? [await linkTextStatements(tx, scope, visit, move === 'invite' ? 'invite' : 'reinvite')]
    : [];
  const change = visitChangeStatements(tx, scope, visit, {
    action: 'visit.move',
    details: { move, from: visit.status, to, version: visit.version + 1 },
  });
  await runTogether(tx, { statements: [status, event], hints: [] }, ...texts, change).catch(refuseSecondVisit);
}

/** A patient who has been inside for a while is with the doctor, so that visit stays ended. */
function isRecent({ status, endedAt }: VisitRow, scope: OfficeScope): boolean {
  return mayMoveBack({ statusCode: status, endedAt: endedAt?.toISOString() ?? null }, scope.now().getTime());
}

/** A visit belongs to its day. One that was left open on an earlier day can only be ended. */
const onAnyDay: readonly Move[] = ['finish', 'remove', 'cancel'];

function endingOf(move: Move, to: VisitRow['status'], { reason, note }: MoveDetails): Ending | null {
  if (!isHistory(to)) return null;
  const isByStaff = move === 'remove' || move === 'finish';
  return { reason: isByStaff ? (reason ?? defaultReasonOf[move]) : null, note: note ?? null };
}

/** A phone has one running visit a day. Refuses a second one that was added or moved back at the same moment. */
export function refuseSecondVisit(error: unknown): never {
  if (isViolationOf(error, 'visit_running')) throw new Refusal('visit_running');
  throw error;
}

/** Today in the office's time zone, as YYYY-MM-DD. */
export async function todayOf(tx: Tx, scope: OfficeScope): Promise<string> {
  return dayOf(scope.now(), (await officeRow(tx, scope.officeId)).timeZone);
}
