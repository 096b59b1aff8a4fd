import { sql } from 'kysely';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import type { Tx } from '#server/kit/db/db.ts';

export type CheckinRow = Awaited<ReturnType<ReturnType<typeof checkinRows>['executeTakeFirstOrThrow']>>;

type NewestText = NonNullable<SmsCheckin['text']>;

/** An office's visits with when their link was first texted and their newest text, as the SMS dashboard lists them. */
export function checkinRows(tx: Tx, officeId: string) {
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
    .select((q) =>
      q
        .selectFrom('text as t')
        .select(
          sql<NewestText>`json_build_object('id', t.id, 'at', iso(t.created_at), 'state', t.state, 'problem', t.error_class, 'limitedUntil', iso(t.limited_until))`.as(
            'text',
          ),
        )
        .whereRef('t.officeId', '=', 'v.officeId')
        .whereRef('t.visitId', '=', 'v.id')
        .orderBy('t.createdAt', 'desc')
        .orderBy('t.id', 'desc')
        .limit(1)
        .as('text'),
    )
    .where('v.officeId', '=', officeId);
}
