import { sql, type Selectable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db.ts';

export type InvitationRow = Selectable<DB['invitation']>;

/** One change of a team at a time: who is left is counted, and the same address is invited once. */
export async function lockTeam(tx: Tx, officeId: string): Promise<{ name: string; timeZone: string }> {
  return tx
    .selectFrom('office')
    .select(['name', 'timeZone'])
    .where('id', '=', officeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** From here on the transaction sees this office's rows and no other's. */
export async function enterOffice(tx: Tx, officeId: string): Promise<void> {
  await sql`select set_config('app.office_id', ${officeId}, true)`.execute(tx);
}

export interface ColleagueRow {
  id: string;
  name: string;
  since: Date;
  email: string | null;
  phone: string | null;
  lastSignInAt: Date | null;
}

/** Everybody who belongs to the office, the longest first. */
export async function colleaguesOf(tx: Tx, officeId: string): Promise<ColleagueRow[]> {
  const identity = (kind: string) =>
    sql<
      string | null
    >`(select i.value from auth.identity i where i.person_id = p.id and i.kind = ${kind} order by i.verified_at, i.id limit 1)`;
  return tx
    .selectFrom('membership as m')
    .innerJoin('auth.person as p', 'p.id', 'm.personId')
    .select(['p.id', 'p.name', 'm.createdAt as since'])
    .select([identity('email').as('email'), identity('phone').as('phone')])
    .select((q) =>
      q
        .selectFrom('auth.session as s')
        .select((s) => s.fn.max('s.createdAt').as('at'))
        .whereRef('s.personId', '=', 'p.id')
        .as('lastSignInAt'),
    )
    .where('m.officeId', '=', officeId)
    .orderBy('m.createdAt')
    .orderBy('m.id')
    .execute();
}

export async function belongs(tx: Tx, officeId: string, value: string): Promise<boolean> {
  const found = await tx
    .selectFrom('membership as m')
    .innerJoin('auth.identity as i', 'i.personId', 'm.personId')
    .select('m.id')
    .where('m.officeId', '=', officeId)
    .where('i.value', '=', value)
    .executeTakeFirst();
  return found !== undefined;
}

/** False when the person belonged to the office before. */
export async function addColleague(
  tx: Tx,
  member: { officeId: string; id: string; personId: string; createdAt: Date },
): Promise<boolean> {
  const added = await tx
    .insertInto('membership')
    .values(member)
    .onConflict((known) => known.columns(['officeId', 'personId']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

export async function dropColleague(tx: Tx, officeId: string, personId: string): Promise<void> {
  await tx.deleteFrom('membership').where('officeId', '=', officeId).where('personId', '=', personId).execute();
}

/** Open invitations, the newest first; `failed`: the text with it did not leave or did not arrive. */
export async function openInvitations(tx: Tx, officeId: string): Promise<(InvitationRow & { failed: boolean })[]> {
  const rows = await tx
    .selectFrom('invitation as i')
    .leftJoin('text as t', (on) => on.onRef('t.officeId', '=', 'i.officeId').onRef('t.id', '=', 'i.textId'))
    .selectAll('i')
    .select('t.state as textState')
    .where('i.officeId', '=', officeId)
    .where('i.state', '=', 'open')
    .orderBy('i.createdAt', 'desc')
    .orderBy('i.id')
    .execute();
  return rows.map(({ textState, ...row }) => ({ ...row, failed: textState === 'failed' }));
}

export function openInvitationTo(tx: Tx, officeId: string, value: string): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('invitation')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('value', '=', value)
    .where('state', '=', 'open')
    .executeTakeFirst();
}

export function lockInvitation(tx: Tx, officeId: string, id: string): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('invitation')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst();
}

export function invitationOf(tx: Tx, officeId: string, id: string) {
  return tx
    .selectFrom('invitation as i')
    .innerJoin('office as o', 'o.id', 'i.officeId')
    .select(['o.name as officeName', 'i.invitedByName', 'i.kind', 'i.value', 'i.expiresAt'])
    .where('i.officeId', '=', officeId)
    .where('i.id', '=', id)
    .executeTakeFirstOrThrow();
}

export function addInvitation(
  tx: Tx,
  invitation: Omit<InvitationRow, 'state' | 'sentAt' | 'textId' | 'endedAt'>,
): Promise<InvitationRow> {
  return tx.insertInto('invitation').values(invitation).returningAll().executeTakeFirstOrThrow();
}

export function changeInvitation(
  tx: Tx,
  { officeId, id }: Pick<InvitationRow, 'officeId' | 'id'>,
  change: Partial<Pick<InvitationRow, 'tokenHash' | 'expiresAt' | 'sentAt' | 'textId' | 'state' | 'endedAt' | 'name'>>,
): Promise<InvitationRow> {
  return tx
    .updateTable('invitation')
    .set(change)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Takes back what is open to any address of a person. */
export async function revokeInvitationsTo(tx: Tx, officeId: string, personId: string, at: Date): Promise<void> {
  await tx
    .updateTable('invitation')
    .set({ state: 'revoked', endedAt: at })
    .where('officeId', '=', officeId)
    .where('state', '=', 'open')
    .where('value', 'in', (q) => q.selectFrom('auth.identity').select('value').where('personId', '=', personId))
    .execute();
}

export interface Found {
  officeId: string;
  invitationId: string;
}

export async function invitationByToken(db: Db, tokenHash: Buffer, now: Date): Promise<Found | undefined> {
  const { rows } = await sql<Found>`select * from door_invitation_by_token(${tokenHash}, ${now})`.execute(db);
  return rows[0];
}

/** Where whoever has this address is invited. */
export async function invitationsTo(tx: Tx, value: string, now: Date): Promise<Found[]> {
  const { rows } = await sql<Found>`select * from door_invitations_to(${value}, ${now})`.execute(tx);
  return rows;
}

export async function hasIdentity(tx: Tx, personId: string, value: string): Promise<boolean> {
  const found = await tx
    .selectFrom('auth.identity')
    .select('id')
    .where('personId', '=', personId)
    .where('value', '=', value)
    .executeTakeFirst();
  return found !== undefined;
}

/** A newcomer is called as the invitation calls them; whoever had an account before keeps their name. */
export async function nameNewcomer(tx: Tx, personId: string, name: string, invitedAt: Date): Promise<void> {
  await tx
    .updateTable('auth.person')
    .set({ name })
    .where('id', '=', personId)
    .where('createdAt', '>', invitedAt)
    .execute();
}
