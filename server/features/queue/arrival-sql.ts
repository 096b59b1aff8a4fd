import type { Insertable } from 'kysely';
import { openStatuses } from '#contract/queue.ts';
import type { DB } from '#db/tables.ts';
import type { OfficeScope } from '#server/context.ts';
import { newPatientCode } from '#server/kit/crypto/secret.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { VisitRow } from './sql.ts';

export interface Person {
  firstName: string;
  lastName: string;
  birthDate: string | null;
}

/** The people who check in together: the phone's owner and family members who have an appointment too. */
export interface Party extends Person {
  phone: string;
  birthDate: string;
  household: Person[];
  /** Who holds the phone, if that is none of the patients. */
  contact?: Contact | undefined;
  language: 'en' | 'es';
}

export type Contact = Pick<Person, 'firstName' | 'lastName'>;

export const contactColumns = (contact: Contact | undefined) => ({
  contactFirstName: contact?.firstName ?? null,
  contactLastName: contact?.lastName ?? null,
});

/** This phone's open visit of the day, locked. */
export function runningVisit(tx: Tx, officeId: string, day: string, phone: string): Promise<VisitRow | undefined> {
  return tx
    .selectFrom('visit')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('day', '=', day)
    .where('phone', '=', phone)
    .where('status', 'in', openStatuses)
    .forUpdate()
    .executeTakeFirst();
}

export function patientOfPhone(tx: Tx, officeId: string, phone: string) {
  return tx
    .selectFrom('patient')
    .selectAll()
    .where('officeId', '=', officeId)
    .where('phone', '=', phone)
    .executeTakeFirst();
}

/**
 * The phone owner's account in this office. It is made at the first visit; only a link that was texted to the phone may rename it or give it a
 * birthday, because anybody can type a number.
 */
export async function savePatient(
  tx: Tx,
  scope: OfficeScope,
  person: Person & { phone: string; language: 'en' | 'es' },
  { rename }: { rename: boolean },
): Promise<string> {
  const names = {
    firstName: person.firstName,
    lastName: person.lastName,
    birthDate: person.birthDate,
    language: person.language,
  };
  const saved = await tx
    .insertInto('patient')
    .values({
      officeId: scope.officeId,
      id: scope.id(),
      userCode: newPatientCode(),
      phone: person.phone,
      createdAt: scope.now(),
      ...names,
      ...(!rename && { birthDate: null }),
    })
    .onConflict((conflict) =>
      conflict.columns(['officeId', 'phone']).doUpdateSet(rename ? names : { phone: person.phone }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return saved.id;
}

export const newVisitStatement = (tx: Tx, visit: Insertable<DB['visit']>) => tx.insertInto('visit').values(visit);

export function membersStatement(tx: Tx, scope: OfficeScope, visitId: string, party: Omit<Party, 'phone'>) {
  return tx.insertInto('visitMember').values(
    [party, ...party.household].map(({ firstName, lastName, birthDate }, position) => ({
      officeId: scope.officeId,
      id: scope.id(),
      visitId,
      position,
      firstName,
      lastName,
      birthDate,
    })),
  );
}

/** Gives the visit the names and the language that were entered by its texted link. */
export async function renameVisit(
  tx: Tx,
  officeId: string,
  visitId: string,
  { firstName, lastName, contact, language }: Pick<Party, 'firstName' | 'lastName' | 'contact' | 'language'>,
): Promise<void> {
  await tx
    .updateTable('visit')
    .set({ firstName, lastName, language, ...contactColumns(contact) })
    .where('officeId', '=', officeId)
    .where('id', '=', visitId)
    .execute();
}

export async function markVisitStillWaiting(tx: Tx, visit: VisitRow, at: Date): Promise<void> {
  await tx
    .updateTable('visit')
    .set({ stillWaitingAt: at, version: visit.version + 1 })
    .where('officeId', '=', visit.officeId)
    .where('id', '=', visit.id)
    .execute();
}
