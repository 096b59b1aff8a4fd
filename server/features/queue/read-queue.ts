import type { FastifyReply, FastifyRequest } from 'fastify';
import { listQueue, listQueueChanges, type CheckedIn, type QueueEntry } from '#contract/queue.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { sessionTokenOf } from '#server/kit/http/request-context.ts';
import { parseDay } from '#server/kit/day.ts';
import { isOwnOfficeName } from '#server/own-office-name.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { etagOf, readInput } from '#server/kit/http/route.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import type { HeldAnswer, HeldAnswers } from './held-answers.ts';
import { todayOf } from './make-move.ts';
import { checkedInEntries, queueChanges, queueReply, type QueueAnswer, type SessionQuestion } from './queue-sql.ts';

const refusalOf: Record<number, (why: string) => Refusal> = {
  401: () => new Refusal('not_signed_in'),
  423: () => new Refusal('session_locked'),
  403: (why) => new Refusal(why === 'agreement_missing' || why === 'authenticator_missing' ? why : 'no_office'),
  404: () => new Refusal('office_not_found'),
};

/** The polled queue in one round trip: the database finds the session, compares the ETag, writes the audit entry and returns the JSON as text. */
export async function answerQueue(req: FastifyRequest, reply: FastifyReply, held: HeldAnswers): Promise<FastifyReply> {
  const { query } = readInput(listQueue, req);
  const day = query.datetime === undefined ? null : parseDay(query.datetime, 'MMDDYYYY');
  if (query.datetime !== undefined && day === null) throw new Refusal('invalid_input');
  const withCancelled = query.includeCancelled !== 'false';
  const withDoctorCancelled = query.includeDoctorCancelled !== 'false';
  // Today's queue with everybody in it, as the panels ask for it; others are rare.
  const what = day === null && withCancelled && withDoctorCancelled ? 'queue' : null;
  return answerFromDatabase(req, reply, what, held, (question) =>
    queueReply(req.server.services.pool, { ...question, day, withCancelled, withDoctorCancelled }),
  );
}

/** What changed since the caller's version of today's queue. */
export async function answerQueueChanges(
  req: FastifyRequest,
  reply: FastifyReply,
  held: HeldAnswers,
): Promise<FastifyReply> {
  const { since = null } = readInput(listQueueChanges, req).query;
  return answerFromDatabase(req, reply, `changes since ${since}`, held, (question) =>
    queueChanges(req.server.services.pool, { ...question, since }),
  );
}

async function answerFromDatabase(
  req: FastifyRequest,
  reply: FastifyReply,
  what: string | null,
  heldAnswers: HeldAnswers,
  read: (question: SessionQuestion) => Promise<QueueAnswer>,
): Promise<FastifyReply> {
  const { services } = req.server;
  const token = sessionTokenOf(req);
  if (!token) throw new Refusal('not_signed_in');

  await services.visitorPace.waitForSession(req.ip, token);
  const tokenHash = hashToken(token);
  const office = req.headers['x-office'] || null;
  const replyKey = what && `${String(office ?? tokenHash.toString('base64'))} ${what}`;
  const held = replyKey ? heldAnswers.find(replyKey) : null;
  const answer = await read({
    tokenHash,
    office,
    now: services.now(),
    etag: etagOf(req),
    requestId: req.id,
    held: held?.etag ?? null,
  });
  if (answer.status === 401) services.visitorPace.noteUnknownSession(req.ip, token);
  else services.visitorPace.noteSession(token);
  const refuse = refusalOf[answer.status];
  if (refuse) throw refuse(answer.etag ?? '');
  reply.header('etag', answer.etag);
  if (answer.status === 304) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(bodyOf(answer, replyKey, held, heldAnswers));
}

function bodyOf(
  { etag, body }: QueueAnswer,
  replyKey: string | null,
  held: HeldAnswer | null,
  heldAnswers: HeldAnswers,
): Buffer | string {
  if (body === null) {
    // The ETag names the office, so nobody is sent another office's queue, whatever they asked for.
    if (!held || held.etag !== etag) throw new Error(`queue: the answer ${etag} has no body`);
    return held.body;
  }
  return replyKey && etag ? heldAnswers.hold(replyKey, { etag, body }) : body;
}

/** Patients who checked in today, for the forms list. */
export async function listCheckedIn(
  ctx: OfficeCtx,
  npi: string,
  conditional: ConditionalRequest,
): Promise<VersionedReply<CheckedIn[]>> {
  return ctx.transaction(async (tx) => {
    if (!(await isOwnOfficeName(tx, ctx, npi))) throw new Refusal('office_not_found');
    const entries = await checkedInEntries(tx, ctx.officeId, await todayOf(tx, ctx));
    const body = entries.map(({ entry, formsFiled }) => {
      const { id, patientName, patientUserCode, activePatients, createdAt, patientCovidWarning, forms } =
        entry as QueueEntry;
      return {
        id,
        patientName,
        patientUserCode,
        activePatients,
        createdAt,
        formsFiled: formsFiled ?? 0,
        review: patientCovidWarning || forms.some(({ outcome }) => outcome === 'review'),
        covidReview: patientCovidWarning,
      };
    });
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'queue.read', subject: 'checked-in' });
    return versionedReply(body, conditional, { onSend });
  });
}
