import type { Selectable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';

export type ClaimRow = Selectable<DB['auth.npiClaim']>;

export async function addClaim(
  db: Db,
  claim: { personId: string; officeId: string; npi: string; claimedAt: Date },
): Promise<void> {
  await db
    .insertInto('auth.npiClaim')
    .values(claim)
    .onConflict((known) => known.doNothing())
    .execute();
}

/** Requests an email to the office's staff, unless one was requested within the last day. */
export async function requestOfficeEmail(
  db: Db,
  { personId, officeId, at }: { personId: string; officeId: string; at: Date },
) {
  const dayAgo = new Date(at.getTime() - 86_400_000);
  await db
    .updateTable('auth.npiClaim')
    .set({ askedAt: at, officeMailedAt: null, takenUntil: null, tries: 0 })
    .where('personId', '=', personId)
    .where('officeId', '=', officeId)
    .where((row) => row.or([row('askedAt', 'is', null), row('askedAt', '<=', dayAgo)]))
    .execute();
}

/** Leases the oldest claims with a due email to this process until `until`. */
export function takeDueClaims(
  db: Db,
  { now, until, atMost, hasOperator }: { now: Date; until: Date; atMost: number; hasOperator: boolean },
): Promise<ClaimRow[]> {
  return db
    .updateTable('auth.npiClaim as c')
    .set((row) => ({ takenUntil: until, tries: row('tries', '+', 1) }))
    .from((of) =>
      of
        .selectFrom('auth.npiClaim')
        .select(['personId', 'officeId'])
        .where((row) =>
          row.or([
            ...(hasOperator ? [row('operatorMailedAt', 'is', null)] : []),
            row.and([row('askedAt', 'is not', null), row('officeMailedAt', 'is', null)]),
          ]),
        )
        .where((row) => row.or([row('takenUntil', 'is', null), row('takenUntil', '<=', now)]))
        .orderBy('claimedAt')
        .limit(atMost)
        .forUpdate()
        .skipLocked()
        .as('due'),
    )
    .whereRef('c.personId', '=', 'due.personId')
    .whereRef('c.officeId', '=', 'due.officeId')
    .returningAll('c')
    .execute();
}

type ClaimKey = Pick<ClaimRow, 'personId' | 'officeId'>;

export async function setClaim(
  db: Db,
  { personId, officeId }: ClaimKey,
  set: { operatorMailedAt?: Date; officeMailedAt?: Date; takenUntil?: Date | null },
): Promise<void> {
  await db
    .updateTable('auth.npiClaim')
    .set(set)
    .where('personId', '=', personId)
    .where('officeId', '=', officeId)
    .execute();
}

/** The address or number a person signs in with, an email first. */
export async function signInAddressOf(db: Db, personId: string): Promise<string> {
  const row = await db
    .selectFrom('auth.identity')
    .select('value')
    .where('personId', '=', personId)
    .orderBy('kind')
    .orderBy('verifiedAt')
    .limit(1)
    .executeTakeFirst();
  return row?.value ?? '';
}

export interface Colleague {
  email: string;
  language: 'en' | 'es';
}

/** The emails and languages of an office's staff. */
export async function emailsOfStaff(tx: Tx, officeId: string): Promise<Colleague[]> {
  const rows = await tx
    .selectFrom('membership as m')
    .innerJoin('auth.person as p', 'p.id', 'm.personId')
    .innerJoin('auth.identity as i', 'i.personId', 'm.personId')
    .select(['i.value', 'p.language'])
    .where('m.officeId', '=', officeId)
    .where('i.kind', '=', 'email')
    .orderBy('m.createdAt')
    .limit(20)
    .execute();
  return rows.map(({ value, language }) => ({ email: value, language: language ?? 'en' }));
}

/** Every claim with the claimant's email or number, newest first. */
export function allClaims(db: Db) {
  return db
    .selectFrom('auth.npiClaim as c')
    .selectAll('c')
    .select((q) =>
      q
        .selectFrom('auth.identity as i')
        .select('i.value')
        .whereRef('i.personId', '=', 'c.personId')
        .orderBy('i.kind')
        .orderBy('i.verifiedAt')
        .limit(1)
        .as('asker'),
    )
    .orderBy('c.claimedAt', 'desc')
    .execute();
}
