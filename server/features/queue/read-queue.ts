import type { FastifyReply, FastifyRequest } from 'fastify';
import { listQueue, type CheckedIn, type QueueEntry } from '#contract/queue.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { sessionTokenOf } from '#server/kit/http/request-context.ts';
import { parseDay } from '#server/kit/day.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { etagOf, readInput } from '#server/kit/http/route.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { todayOf } from './make-move.ts';

const refusalOf: Record<number, (why: string) => Refusal> = {
  401: () => new Refusal('not_signed_in'),
  423: () => new Refusal('session_locked'),
  403: (why) => new Refusal(why === 'agreement_missing' || why === 'authenticator_missing' ? why : 'no_office'),
  404: () => new Refusal('office_not_found'),
};

/** The polled queue in one round trip: the database finds the session, compares the ETag, writes the audit entry and returns the JSON as text. */
export async function answerQueue(req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { services } = req.server;
  const { query } = readInput(listQueue, req);
  const day = query.datetime === undefined ? null : parseDay(query.datetime, 'MMDDYYYY');
  if (query.datetime !== undefined && day === null) throw new Refusal('invalid_input');
  const token = sessionTokenOf(req);
  if (!token) throw new Refusal('not_signed_in');

  await services.visitorPace.waitForSession(req.ip, token);
  const { rows } = await services.pool.query<{ status: number; etag: string | null; body: string | null }>({
    name: 'queue_reply',
    text: 'select * from queue_reply($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [
      hashToken(token),
      req.headers['x-office'] || null,
      services.now(),
      day,
      query.includeCancelled !== 'false',
      query.includeDoctorCancelled !== 'false',
      etagOf(req),
      req.id,
    ],
  });
  const answer = rows[0];
  if (!answer) throw new Error('queue_reply returned no row');
  if (answer.status === 401) services.visitorPace.noteUnknownSession(req.ip, token);
  else services.visitorPace.noteSession(token);
  const refuse = refusalOf[answer.status];
  if (refuse) throw refuse(answer.etag ?? '');
  reply.header('etag', answer.etag);
  if (answer.status === 304) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(answer.body);
}

/** Patients who checked in today, for the forms list. */
export async function listCheckedIn(ctx: OfficeCtx, npi: string): Promise<CheckedIn[]> {
  if (npi !== ctx.npi) throw new Refusal('office_not_found');
  return ctx.transaction(async (tx) => {
    await writeAuditEntry(tx, ctx, { action: 'queue.read', subject: 'checked-in' });
    const entries = await tx
      .selectFrom('queueEntry')
      .select((q) => [
        'entry',
        q
          .selectFrom('formSubmission as f')
          .select((f) => f.fn.countAll<number>().as('n'))
          .whereRef('f.officeId', '=', 'queueEntry.officeId')
          .whereRef('f.visitId', '=', 'queueEntry.id')
          .where('f.state', '<>', 'draft')
          .where('f.supersededAt', 'is', null)
          .as('formsFiled'),
      ])
      .where('officeId', '=', ctx.officeId)
      .where('day', '=', await todayOf(tx, ctx))
      .where('status', '!=', 'EXPECTED')
      .orderBy('createdAt')
      .execute();
    return entries.map(({ entry, formsFiled }) => {
      const { id, patientName, patientUserCode, activePatients, createdAt, patientCovidWarning } = entry as QueueEntry;
      return {
        id,
        patientName,
        patientUserCode,
        activePatients,
        createdAt,
        formsFiled: formsFiled ?? 0,
        review: patientCovidWarning,
      };
    });
  });
}
