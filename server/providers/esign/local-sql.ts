import type { Insertable, Selectable } from 'kysely';
import type { DB, EsignRequest } from '#db/tables.ts';
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

export async function requestIdOf(db: Db, reference: string): Promise<string | undefined> {
  const row = await db.selectFrom('esign.request').select('id').where('reference', '=', reference).executeTakeFirst();
  return row?.id;
}

export async function insertRequest(tx: Tx, request: Insertable<DB['esign.request']>): Promise<void> {
  await tx.insertInto('esign.request').values(request).execute();
}

/** Notes when the signer first opened the signing page. */
export async function setViewed(tx: Tx, id: string, viewedAt: Date): Promise<void> {
  await tx.updateTable('esign.request').set({ viewedAt }).where('id', '=', id).where('viewedAt', 'is', null).execute();
}

export async function insertLink(tx: Tx, link: Insertable<DB['esign.link']>): Promise<void> {
  await tx.insertInto('esign.link').values(link).execute();
}

export function linkByToken(db: Db, tokenHash: Buffer) {
  return db.selectFrom('esign.link').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
}

/** The opened link whose page has this key. */
export function linkByPage(db: Db, pageHash: Buffer) {
  return db.selectFrom('esign.link').selectAll().where('pageHash', '=', pageHash).executeTakeFirst();
}

/** Marks a link as opened, once; returns false if it was opened already. */
export async function setLinkOpened(
  tx: Tx,
  tokenHash: Buffer,
  opened: { openedAt: Date; pageHash: Buffer },
): Promise<boolean> {
  const row = await tx
    .updateTable('esign.link')
    .set(opened)
    .where('tokenHash', '=', tokenHash)
    .where('openedAt', 'is', null)
    .returning('tokenHash')
    .executeTakeFirst();
  return row !== undefined;
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

/** Claims events whose callback is due: no other process gets them until `retryAt`. */
export function claimDueEvents(db: Db, { now, retryAt, most }: { now: Date; retryAt: Date; most: number }) {
  return db
    .updateTable('esign.event')
    .set({ reportAt: retryAt })
    .where('id', 'in', (q) =>
      q
        .selectFrom('esign.event')
        .select('id')
        .where('reportAt', '<=', now)
        .orderBy('reportAt')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'requestId', 'type', 'at'])
    .execute();
}

/** Sends no more callbacks of this event. */
export async function setReported(db: Db, id: string): Promise<void> {
  await db.updateTable('esign.event').set({ reportAt: null }).where('id', '=', id).execute();
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
