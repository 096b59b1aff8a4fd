import { formatPhone } from '#contract/phone-format.ts';
import type { Services } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { Identifier } from './identifier.ts';
import { addIdentity, addPerson, findIdentity, removePerson, type PersonIdentity } from './person-sql.ts';

/** The person with this identifier. Creates an account for a new identifier, so call it only after the right code. */
export async function findOrCreatePerson(
  tx: Tx,
  { id, now }: Pick<Services, 'id' | 'now'>,
  identifier: Identifier,
): Promise<PersonIdentity> {
  const existing = await findIdentity(tx, identifier.value);
  if (existing) return existing;
  const personId = id();
  const personName = nameFor(identifier);
  await addPerson(tx, { id: personId, name: personName, createdAt: now() });
  const identityId = id();
  const added = await addIdentity(tx, { id: identityId, personId, ...identifier, verifiedAt: now() });
  if (added) return { identityId, personId, personName };
  // Lost a race: the same person just created the account on another device.
  await removePerson(tx, personId);
  return (await findIdentity(tx, identifier.value)) as PersonIdentity;
}

/** A newcomer's name until they enter one. */
function nameFor({ kind, value }: Identifier): string {
  return kind === 'email' ? value.slice(0, value.indexOf('@')) : formatPhone(value);
}
