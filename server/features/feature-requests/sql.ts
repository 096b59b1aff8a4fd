import type { RequestableFeature } from '#contract/feature-requests.ts';
import type { Tx } from '#server/kit/db/db.ts';

interface NewRequest {
  officeId: string;
  id: string;
  personId: string;
  feature: RequestableFeature;
  createdAt: Date;
}

/** Stores a request; false if the person has made it before. */
export async function addRequest(tx: Tx, request: NewRequest): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('featureRequest')
    .values(request)
    .onConflict((row) => row.columns(['officeId', 'personId', 'feature']).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function requestsOf(tx: Tx, officeId: string, personId: string): Promise<RequestableFeature[]> {
  const rows = await tx
    .selectFrom('featureRequest')
    .select('feature')
    .where('officeId', '=', officeId)
    .where('personId', '=', personId)
    .orderBy('feature')
    .execute();
  return rows.map(({ feature }) => feature);
}

/** An email about a request is tried this often: with one try an hour, for two days. */
export const mostMailTries = 48;

/** Requests of an office that the operator has no email about yet, oldest first. */
export function unmailedRequests(tx: Tx, officeId: string, atMost: number) {
  return tx
    .selectFrom('featureRequest')
    .select(['id', 'feature', 'mailTries'])
    .where('officeId', '=', officeId)
    .where('mailedAt', 'is', null)
    .where('mailTries', '<', mostMailTries)
    .orderBy('createdAt')
    .limit(atMost)
    .execute();
}

export async function setMailed(tx: Tx, officeId: string, id: string, mailedAt: Date): Promise<void> {
  await tx
    .updateTable('featureRequest')
    .set({ mailedAt })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}

export async function countMailTry(tx: Tx, officeId: string, id: string): Promise<void> {
  await tx
    .updateTable('featureRequest')
    .set((row) => ({ mailTries: row('mailTries', '+', 1) }))
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
}

/** All requests of an office, newest first. */
export function requestsOfOffice(tx: Tx, officeId: string) {
  return tx
    .selectFrom('featureRequest')
    .select(['feature', 'createdAt', 'mailedAt'])
    .where('officeId', '=', officeId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
}
