import type { Services, OfficeScope } from '#server/context.ts';
import { UsageError } from '#server/kit/command.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { officeIdByNpi, officeIds } from '#server/kit/db/office-directory.ts';
import { usPhone } from '#server/kit/phone.ts';
import type { OfficeRow } from '#server/office-row.ts';
import { findPersonByIdentity, identitiesOfPeople, membersOf } from './people-sql.ts';
import { readOfficeUncached } from './sql.ts';

/** The installation's offices and people, as its operator sees them. */

/** Every office, by name. */
export async function allOffices(services: Services): Promise<OfficeRow[]> {
  const ids = await officeIds(services.pool);
  const offices = await Promise.all(ids.map((id) => asOffice(services.db, id, (tx) => readOfficeUncached(tx, id))));
  return offices.sort((a, b) => a.name.localeCompare(b.name) || a.npi.localeCompare(b.npi));
}

/** Works in the office with this NPI as the operator; throws UsageError if there is none. */
export async function findOperatorScope(services: Services, npi: string | undefined): Promise<OfficeScope> {
  if (!npi) throw new UsageError('Which office? Name it by its NPI: script/anteroom office list shows them.');
  const officeId = await officeIdByNpi(services.pool, npi);
  if (!officeId) throw new UsageError(`No office has the NPI ${npi}: script/anteroom office list shows them.`);
  return operatorScope(services, officeId);
}

export const operatorScope = (services: Services, officeId: string): OfficeScope =>
  officeScope(services, officeId, { kind: 'operator', id: null, name: null }, 'operator');

/** The office's people with their sign-in identifiers. */
export async function staffOf(scope: OfficeScope): Promise<{ id: string; name: string; usernames: string[] }[]> {
  return scope.transaction(async (tx) => {
    const people = await membersOf(tx, scope.officeId);
    const identities = await identitiesOfPeople(
      tx,
      people.map(({ id }) => id),
    );
    return people.map((person) => ({
      ...person,
      usernames: identities.filter(({ personId }) => personId === person.id).map(({ value }) => value),
    }));
  });
}

/** The person who signs in with this address or number; undefined if nobody does. */
export async function personBy(services: Pick<Services, 'db'>, username: string) {
  const value = username.includes('@') ? username.trim().toLowerCase() : usPhone(username);
  if (!value) throw new UsageError(`"${username}" is neither an email address nor a US mobile number.`);
  return findPersonByIdentity(services.db, value);
}

/** The same; throws UsageError if nobody does. */
export async function knownPerson(services: Pick<Services, 'db'>, username: string) {
  const person = await personBy(services, username);
  if (!person) throw new UsageError(`Nobody signs in with ${username}.`);
  return person;
}
