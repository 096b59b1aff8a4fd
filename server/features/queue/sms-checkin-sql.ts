import { sql } from 'kysely';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { textBlockColumn } from '#server/features/texting/index.ts';
import type { Tx } from '#server/kit/db/db.ts';

export type CheckinRow = Awaited<ReturnType<ReturnType<typeof checkinRows>['executeTakeFirstOrThrow']>>;

/** `sentAt`: null until the carrier has taken it. */
type NewestText = NonNullable<SmsCheckin['text']> & { sentAt: string | null };

/** An office's visits with their newest text, as the SMS dashboard and the Expected group list them. */
export function checkinRows(tx: Tx, officeId: string) {
  return tx
    .selectFrom('visit as v')
    .select([
      'v.id',
      'v.status',
      'v.createdAt',
      'v.arrivedAt',
      'v.autoInviteAt',
      'v.endReason',
      'v.version',
      'v.firstName',
      'v.lastName',
      'v.phone',
    ])
    .select(textBlockColumn('v', officeId))
    .select((q) =>
      q
        .selectFrom('text as t')
        .select(
          sql<NewestText>`json_build_object('id', t.id, 'at', iso(t.created_at), 'state', t.state, 'problem', t.error_class,
            'limitedUntil', iso(t.limited_until),
            'sentAt', case when t.state in ('sent', 'delivered') then iso(coalesce(t.sent_at, t.created_at)) end)`.as(
            'text',
          ),
        )
        .where('t.officeId', '=', officeId)
        .whereRef('t.visitId', '=', 'v.id')
        .orderBy('t.createdAt', 'desc')
        .orderBy('t.id', 'desc')
        .limit(1)
        .as('text'),
    )
    .where('v.officeId', '=', officeId);
}
