import { sql, type Selectable } from 'kysely';
import type { DB } from '#db/tables.ts';
import { identitiesOf } from '#server/identities.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';
import { addToDirectory, removeFromDirectory } from '#server/kit/db/office-directory.ts';

export type InvitationRow = Selectable<DB['invitation']>;

/** Serializes changes of a team: the last colleague cannot leave, and an address is invited once. */
export async function lockTeam(tx: Tx, officeId: string): Promise<{ name: string; timeZone: string }> {
  return tx
    .selectFrom('office')
    .select(['name', 'timeZone'])
    .where('id', '=', officeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

export interface ColleagueRow {
  id: string;
  since: Date;
  email: string | null;
  phone: string | null;
}

/** The members of the office, the longest first, with the email or number that the office knows. */
export async function colleaguesOf(tx: Tx, officeId: string): Promise<ColleagueRow[]> {
  return tx
    .selectFrom('membership')
    .select(['personId as id', 'createdAt as since', 'email', 'phone'])
    .where('officeId', '=', officeId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/**
 * Whether this is a member's email or number that the office knows. Members' other identities do not count: the answer would reveal whose
 * they are.
 */
export async function isMemberIdentifier(tx: Tx, officeId: string, value: string): Promise<boolean> {
  const row = await tx
    .selectFrom('membership as m')
    .select('m.id')
    .where('m.officeId', '=', officeId)
    .where((m) => m.or([m('m.email', '=', value), m('m.phone', '=', value)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a member. For an existing member, fills in the email or number that was missing. */
export async function addMembership(
  tx: Tx,
  member: {
    officeId: string;
    id: string;
    personId: string;
    createdAt: Date;
    email: string | null;
    phone: string | null;
  },
): Promise<void> {
  await tx
    .insertInto('membership')
    .values(member)
    .onConflict((known) =>
      known.columns(['officeId', 'personId']).doUpdateSet({
        email: sql`coalesce(membership.email, excluded.email)`,
        phone: sql`coalesce(membership.phone, excluded.phone)`,
      }),
    )
    .execute();
  await addToDirectory(tx, { officeId: member.officeId, kind: 'person', key: member.personId });
}

export async function deleteMembership(tx: Tx, officeId: string, personId: string): Promise<void> {
  await tx.deleteFrom('membership').where('officeId', '=', officeId).where('personId', '=', personId).execute();
  await removeFromDirectory(tx, { officeId, kind: 'person', key: personId });
}

/** Open invitations, the newest first; `failed`: its text was not sent or not delivered. */
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
    .select([
      'i.id',
      'i.officeId',
      'o.npi',
      'o.name as officeName',
      'i.invitedByName',
      'i.kind',
      'i.value',
      'i.expiresAt',
    ])
    .where('i.officeId', '=', officeId)
    .where('i.id', '=', id)
    .executeTakeFirstOrThrow();
}

export async function addInvitation(
  tx: Tx,
  invitation: Omit<InvitationRow, 'state' | 'sentAt' | 'textId' | 'endedAt'>,
): Promise<InvitationRow> {
  await addInvitationToDirectory(tx, invitation);
  return tx.insertInto('invitation').values(invitation).returningAll().executeTakeFirstOrThrow();
}

export async function changeInvitation(
  tx: Tx,
  { officeId, id }: Pick<InvitationRow, 'officeId' | 'id'>,
  change: Partial<Omit<InvitationRow, 'officeId' | 'id' | 'kind' | 'value' | 'createdAt'>>,
): Promise<InvitationRow> {
  const changed = await tx
    .updateTable('invitation')
    .set(change)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (change.tokenHash) await addInvitationToDirectory(tx, changed);
  return changed;
}

function addInvitationToDirectory(
  tx: Tx,
  { officeId, value, tokenHash, expiresAt }: Pick<InvitationRow, 'officeId' | 'value' | 'tokenHash' | 'expiresAt'>,
): Promise<void> {
  return addToDirectory(
    tx,
    { officeId, kind: 'invited', key: value, expiresAt },
    { officeId, kind: 'invitation_link', key: tokenHash, expiresAt },
  );
}

/** Revokes the open invitations to any identity of a person, and those they sent. */
export async function revokeInvitationsOf(tx: Tx, officeId: string, personId: string, at: Date): Promise<void> {
  const values = (await identitiesOf(tx, personId)).map(({ value }) => value);
  await tx
    .updateTable('invitation')
    .set({ state: 'revoked', endedAt: at })
    .where('officeId', '=', officeId)
    .where('state', '=', 'open')
    .where((i) => i.or([i('invitedBy', '=', personId), sql<boolean>`value = any(${values})`]))
    .execute();
}

export interface InvitationKey {
  officeId: string;
  invitationId: string;
}

export async function invitationByToken(db: Db, tokenHash: Buffer, now: Date): Promise<InvitationKey | undefined> {
  const { rows } = await sql<InvitationKey>`select * from door_invitation_by_token(${tokenHash}, ${now})`.execute(db);
  return rows[0];
}

export type OpenInvitationRow = Awaited<ReturnType<typeof invitationOf>>;

/** The open invitations of all offices to these addresses and numbers. */
export async function invitationsTo(db: Db, values: string[], now: Date): Promise<OpenInvitationRow[]> {
  if (values.length === 0) return [];
  const { rows } = await sql<OpenInvitationRow>`select * from door_open_invitations(${values}, ${now})`.execute(db);
  return rows;
}

export async function hasIdentity(tx: Tx, personId: string, value: string): Promise<boolean> {
  const row = await tx
    .selectFrom('auth.identity')
    .select('id')
    .where('personId', '=', personId)
    .where('value', '=', value)
    .executeTakeFirst();
  return row !== undefined;
}

/** Sets a newcomer's name from the invitation; a person with an older account keeps theirs. */
export async function setNewcomerName(tx: Tx, personId: string, name: string, invitedAt: Date): Promise<void> {
  await tx
    .updateTable('auth.person')
    .set({ name })
    .where('id', '=', personId)
    .where('createdAt', '>', invitedAt)
    .execute();
}
