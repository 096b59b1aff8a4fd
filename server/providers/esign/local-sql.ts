import type { Selectable } from 'kysely';
import type { EsignRequest } from '#db/tables.ts';
import type { Services } from '#server/context.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import type { SigningState } from './port.ts';

/** The local provider's own tables: requests, links and events. */

export type RequestRow = Selectable<EsignRequest>;
/** The person at the signing page. */
export interface Visitor {
  address: string;
  userAgent: string;
}

export function requestById(db: Db | Tx, id: string): Promise<RequestRow | undefined> {
  return db.selectFrom('esign.request').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The events of a request, oldest first. */
export function eventsOf(db: Db | Tx, requestId: string) {
  return db
    .selectFrom('esign.event')
    .selectAll()
    .where('requestId', '=', requestId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

/** Adds an event to the permanent trail; also queues a callback if `told` is set. */
export async function addEvent(
  db: Db | Tx,
  { id, now }: Pick<Services, 'id' | 'now'>,
  requestId: string,
  type: string,
  { visitor, note, told = false }: { visitor?: Visitor; note?: string; told?: boolean } = {},
): Promise<void> {
  const at = now();
  await db
    .insertInto('esign.event')
    .values({
      id: id(),
      requestId,
      type,
      at,
      address: visitor?.address ?? null,
      userAgent: visitor?.userAgent ?? null,
      note: note ?? null,
      reportAt: told ? at : null,
    })
    .execute();
}

/** Ends an open request, once; undefined if it had already ended. */
export function endRequest(
  db: Db | Tx,
  id: string,
  state: Exclude<SigningState, 'open' | 'failed'>,
  changes: { at: Date; signedKey?: string; declineReason?: string; signerName?: string },
): Promise<RequestRow | undefined> {
  const { at, ...columns } = changes;
  return db
    .updateTable('esign.request')
    .set({ state, endedAt: at, ...(state === 'signed' && { signedAt: at }), ...columns })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst();
}

/** Expires the open requests past their time: all of them, or only the one named. */
export async function expireDue(db: Db, services: Pick<Services, 'id' | 'now'>, only?: string): Promise<void> {
  const at = services.now();
  await db.transaction().execute(async (tx) => {
    const expired = await tx
      .updateTable('esign.request')
      .set({ state: 'expired', endedAt: at })
      .where('state', '=', 'open')
      .where('expiresAt', '<=', at)
      .$if(only !== undefined, (q) => q.where('id', '=', only ?? ''))
      .returning('id')
      .execute();
    for (const { id } of expired) await addEvent(tx, services, id, 'expired', { told: true });
  });
}
