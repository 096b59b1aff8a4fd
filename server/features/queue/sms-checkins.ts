import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { smsLabelOf, smsStatusOf, type SmsCheckin, type SmsStatus } from '#contract/sms-checkin.ts';
import type { OfficeCtx } from '#server/ctx.ts';
import { record } from '#server/kit/audit.ts';
import { parseDay } from '#server/kit/day.ts';
import { usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/refusal.ts';
import type { Tx } from '#server/kit/db.ts';
import { expect } from './arrivals.ts';
import { moveVisit, todayOf } from './visits.ts';

/** Part 1's lists: today's open check-ins, or one day's History. */
export async function listSmsCheckins(ctx: OfficeCtx, officeId: string, historyOf?: string): Promise<SmsCheckin[]> {
  mustBeOwn(ctx, officeId);
  const day = historyOf === undefined ? null : parseDay(historyOf, 'YYYYMMDD');
  if (historyOf !== undefined && day === null) throw new Refusal('invalid_input');
  return ctx.transaction(async (tx) => {
    await record(tx, ctx, { action: 'queue.read', subject: 'sms-checkins' });
    const rows = await checkinRows(tx, ctx.officeId)
      .where('v.day', '=', day ?? (await todayOf(tx, ctx)))
      .orderBy('v.createdAt')
      .execute();
    return rows.map(toCheckin).filter((row) => (row.status === 'HISTORY') === (day !== null));
  });
}

/** Expects a patient: the row, its link and the text are one transaction. */
export async function addCheckin(
  ctx: OfficeCtx,
  asked: { text?: string | undefined; phone: string; officeId?: string | undefined },
): Promise<SmsCheckin> {
  if (asked.officeId !== undefined) mustBeOwn(ctx, asked.officeId);
  const phone = usPhone(asked.phone);
  if (!phone) throw new Refusal('invalid_phone');
  return ctx.transaction(async (tx) => oneCheckin(tx, ctx.officeId, await expect(tx, ctx, phone, asked.text)));
}

/** ENTER is 'Invite in', HISTORY is 'Move to history'; WAIT marks an expected patient as arrived. */
export async function updateCheckin(ctx: OfficeCtx, id: string, status: SmsStatus): Promise<SmsCheckin> {
  await moveVisit(ctx, id, (visit) => {
    if (status === 'ENTER') return 'invite';
    if (status === 'WAIT') return 'arrive';
    return visit.status === 'WAITING' || visit.status === 'EXPECTED' ? 'remove' : 'finish';
  });
  return ctx.transaction((tx) => oneCheckin(tx, ctx.officeId, id));
}

/** Another text; the status stays. */
export async function reinviteCheckin(ctx: OfficeCtx, id: string): Promise<SmsCheckin> {
  await moveVisit(ctx, id, (visit) => (visit.status === 'GOING' ? 'remind' : 'reinvite'));
  return ctx.transaction((tx) => oneCheckin(tx, ctx.officeId, id));
}

function mustBeOwn(ctx: OfficeCtx, officeId: string): void {
  if (officeId !== ctx.officeId && officeId !== ctx.npi) throw new Refusal('office_not_found');
}

function checkinRows(tx: Tx, officeId: string) {
  return tx
    .selectFrom('visit as v')
    .select([
      'v.id',
      'v.status',
      'v.createdAt',
      'v.arrivedAt',
      'v.autoInviteAt',
      'v.version',
      'v.firstName',
      'v.lastName',
      'v.phone',
    ])
    .select((q) =>
      q
        .selectFrom('text as t')
        .select('t.createdAt')
        .whereRef('t.officeId', '=', 'v.officeId')
        .whereRef('t.visitId', '=', 'v.id')
        .where('t.kind', '=', 'link')
        .orderBy('t.createdAt')
        .limit(1)
        .as('textSentAt'),
    )
    .where('v.officeId', '=', officeId);
}

async function oneCheckin(tx: Tx, officeId: string, id: string): Promise<SmsCheckin> {
  return toCheckin(await checkinRows(tx, officeId).where('v.id', '=', id).executeTakeFirstOrThrow());
}

type Row = Awaited<ReturnType<ReturnType<typeof checkinRows>['executeTakeFirstOrThrow']>>;

function toCheckin(row: Row): SmsCheckin {
  const status = row.status as QueueEntry['statusCode'];
  return {
    _id: row.id,
    status: smsStatusOf(status),
    label: smsLabelOf(status, row.autoInviteAt !== null && !isHistory(status)),
    createdAt: (row.arrivedAt ?? row.createdAt).toISOString(),
    arrivedAt: row.arrivedAt?.toISOString() ?? null,
    textSentAt: row.textSentAt?.toISOString() ?? null,
    version: row.version,
    patientId: { first_name: row.firstName, last_name: row.lastName, phone: row.phone },
  };
}
