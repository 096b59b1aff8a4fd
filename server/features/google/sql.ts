import type { Db, Tx } from '#server/kit/db/db.ts';
import type { PersonIdentity } from '#server/features/sign-in/index.ts';

/** The person of a Google account, found by issuer and subject: its email address may change. */
export async function findGoogleAccount(
  tx: Tx,
  issuer: string,
  subject: string,
): Promise<Omit<PersonIdentity, 'identityId'> | undefined> {
  return tx
    .selectFrom('auth.googleAccount as g')
    .innerJoin('auth.person as p', 'p.id', 'g.personId')
    .select(['g.personId', 'p.name as personName'])
    .where('g.issuer', '=', issuer)
    .where('g.subject', '=', subject)
    .executeTakeFirst();
}

export async function linkGoogleAccount(
  tx: Tx,
  account: { issuer: string; subject: string; personId: string; email: string; linkedAt: Date },
): Promise<void> {
  await tx
    .insertInto('auth.googleAccount')
    .values(account)
    .onConflict((known) => known.columns(['issuer', 'subject']).doNothing())
    .execute();
}

export async function googleEmailOf(db: Db, personId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('auth.googleAccount')
    .select('email')
    .where('personId', '=', personId)
    .orderBy('linkedAt')
    .limit(1)
    .executeTakeFirst();
  return row?.email;
}
