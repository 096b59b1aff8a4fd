import { actionOfMove, moveVisit, type QueueEntry } from '#contract/queue.ts';
import { call, CallError } from '#web/kit/call.ts';
import { applyMove, type PendingMove } from './pending-moves.ts';

const tryAgainMs = 1_500;
const underWay = new Map<string, Promise<QueueEntry>>();

/** Sends a move. Moves of one visit are sent one after the other, because each needs the version the previous one created. */
export function sendMove(ask: PendingMove): Promise<QueueEntry> {
  const { id, version } = ask.visit;
  const before = underWay.get(id);
  const answer = before ? before.then((now) => sendPendingMove(ask, now.version)) : sendPendingMove(ask, version);
  underWay.set(id, answer);
  const done = () => {
    if (underWay.get(id) === answer) underWay.delete(id);
  };
  answer.then(done, done);
  return answer;
}

async function sendPendingMove(ask: PendingMove, version: number, triedBefore = false): Promise<QueueEntry> {
  try {
    const { id, patientUserCode, createdAt, patientName, npi } = ask.visit;
    const body = {
      id,
      version,
      userCode: patientUserCode,
      dateTime: createdAt,
      action: actionOfMove[ask.move],
      notes: ask.reason,
      patient: patientName,
      relatedNpi: npi,
    };
    // The row has moved on screen already: a reload right after the press must not take the move back.
    return await call(moveVisit, { body }, { keepalive: true });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const now = currentVisitOf(error);
    // The answer was lost. Retrying is safe: the version rejects a second move.
    if (error.status === 0 && !triedBefore) {
      await new Promise((again) => setTimeout(again, tryAgainMs));
      return sendPendingMove(ask, version, true);
    }
    if (now && triedBefore && isOurs(now, ask, version)) return now;
    if (now && now.version > version && isUnmoved(now, ask.visit))
      return sendPendingMove({ ...ask, visit: now }, now.version);
    throw error;
  }
}

/** The current visit, if the refusal includes it. */
export function currentVisitOf(error: unknown): QueueEntry | undefined {
  return error instanceof CallError ? (error.body.current as QueueEntry | undefined) : undefined;
}

/** Whether our first attempt succeeded and only its answer was lost. */
function isOurs(now: QueueEntry, ask: PendingMove, version: number): boolean {
  return (
    now.version === version + 1 &&
    now.actedBy.name === ask.by &&
    now.statusCode === applyMove(ask.visit, ask).statusCode
  );
}

/** Whether the version changed without a move, because the patient pressed "Still waiting?". */
function isUnmoved(now: QueueEntry, seen: QueueEntry): boolean {
  return now.statusCode === seen.statusCode && now.statusAt === seen.statusAt && now.invitedAt === seen.invitedAt;
}
