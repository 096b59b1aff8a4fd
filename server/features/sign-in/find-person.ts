import type { Services } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { Identifier } from './identifier.ts';
import { addIdentity, addPerson, findIdentity, removePerson, type KnownIdentity } from './person-sql.ts';

/** The person of an identifier. Someone we never met gets an account: call it only after the right code. */
export async function personOf(
  tx: Tx,
  { id, now }: Pick<Services, 'id' | 'now'>,
  identifier: Identifier,
): Promise<KnownIdentity> {
  const known = await findIdentity(tx, identifier.value);
  if (known) return known;
  const personId = id();
  const personName = nameFor(identifier);
  await addPerson(tx, { id: personId, name: personName, createdAt: now() });
  const identityId = id();
  const added = await addIdentity(tx, { id: identityId, personId, ...identifier, verifiedAt: now() });
  if (added) return { identityId, personId, personName };
  // The same newcomer signed in on another device at this very moment: that account is theirs.
  await removePerson(tx, personId);
  return (await findIdentity(tx, identifier.value)) as KnownIdentity;
}

/** What a newcomer is called until they say. */
function nameFor({ kind, value }: Identifier): string {
  return kind === 'email' ? value.slice(0, value.indexOf('@')) : value.replace(/^\+1(\d{3})(\d{3})/, '($1) $2-');
}
