import type { Db } from './kit/db/db.ts';

/** An email address or number a person signs in with. */
export interface Identity {
  kind: 'email' | 'phone';
  value: string;
}

/** A person's identities, oldest first. The first one gets the notices about their account. */
export function identitiesOf(db: Db, personId: string): Promise<Identity[]> {
  return db
    .selectFrom('auth.identity')
    .select(['kind', 'value'])
    .where('personId', '=', personId)
    .orderBy('verifiedAt')
    .orderBy('id')
    .execute();
}
