import { formsOfNewPractice } from '#contract/forms/settings.ts';
import { queueSettingsDefault, type QueueSettings } from '#contract/practice/office.ts';
import { asOffice, type Db, type Tx } from '#server/kit/db/db.ts';
import type { Services } from '#server/context.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';

export interface NewOffice {
  npi: string;
  name: string;
  addressLine1: string;
  city: string;
  state: string;
  zip: string;
  timeZone: string;
  email: string | null;
  emr: string;
  /** The office's own number, E.164: the sender of its texts, and where replies go. */
  textNumber: string;
  agreementSignedAt: Date | null;
  /** Null for a limited practice. An office that the operator adds is confirmed at once. */
  confirmedBy?: 'operator' | 'demo' | null;
  paymentsQuestionCompleted?: boolean;
  npiProvisional?: boolean;
  /** The office's own check-in number, if another office already uses the page of its NPI. */
  checkInNpi?: string | null;
  url?: string | null;
  itContact?: string | null;
  patientSize?: string | null;
  agesTreated?: string[];
  refCode?: string | null;
  addressId?: string | null;
  onboardingType?: string;
  settings?: Record<string, unknown>;
  queueSettings?: Partial<QueueSettings>;
}

/** Adds a practice and returns its id. `owner` is a login that may insert offices (operator, seed, tests). */
export async function addOffice(
  owner: Db,
  { id, now }: Pick<Services, 'id' | 'now'>,
  given: NewOffice,
): Promise<string> {
  const officeId = id();
  await asOffice(owner, officeId, (tx) => insertOffice(tx, { id, now }, officeId, given));
  return officeId;
}

/** The same inside a transaction that is already in the office (`asOffice`), with a given id. */
export async function insertOffice(
  tx: Tx,
  { id, now }: Pick<Services, 'id' | 'now'>,
  officeId: string,
  { settings, queueSettings, confirmedBy = 'operator', ...columns }: NewOffice,
): Promise<void> {
  const createdAt = now();
  await tx
    .insertInto('office')
    .values({
      ...columns,
      id: officeId,
      settings: JSON.stringify(settings ?? {}),
      queueSettings: JSON.stringify({ ...queueSettingsDefault, ...queueSettings }),
      confirmedAt: confirmedBy && createdAt,
      confirmedBy,
      createdAt,
    })
    .execute();
  if (!confirmedBy) await tx.insertInto('officeConfirmation').values({ officeId, id: id(), createdAt }).execute();
  await tx.insertInto('officeNpi').values({ officeId, id: id(), npi: columns.npi, current: true }).execute();
  if (columns.checkInNpi) {
    const number = { officeId, id: id(), npi: columns.checkInNpi, current: false };
    await tx.insertInto('officeNpi').values(number).execute();
  }
  const npis = [columns.npi, columns.checkInNpi].filter((npi) => npi != null);
  await addToDirectory(tx, ...npis.map((npi) => ({ officeId, kind: 'npi' as const, key: npi })), {
    officeId,
    kind: 'text_number',
    key: columns.textNumber,
  });
}

/** The settings of a practice that registers or is added by the operator. */
export const settingsOfNewPractice = { features: { globalFormsEnabled: { forms: formsOfNewPractice } } };

export interface NewStaff {
  name: string;
  email?: string;
  phone?: string;
  language?: 'en' | 'es';
}

/** Adds a person who signs in with this email or number, as a member of the given offices; returns their id. */
export async function addStaff(
  owner: Db,
  { id, now }: Pick<Services, 'id' | 'now'>,
  given: NewStaff,
  officeIds: string[],
): Promise<string> {
  const personId = id();
  await owner
    .insertInto('auth.person')
    .values({ id: personId, name: given.name, language: given.language ?? null, createdAt: now() })
    .execute();
  for (const kind of ['email', 'phone'] as const) {
    const value = given[kind];
    if (value)
      await owner.insertInto('auth.identity').values({ id: id(), personId, kind, value, verifiedAt: now() }).execute();
  }
  for (const officeId of officeIds) {
    await asOffice(owner, officeId, async (tx) => {
      const { email = null, phone = null } = given;
      await tx
        .insertInto('membership')
        .values({ officeId, id: id(), personId, createdAt: now(), email, phone })
        .execute();
      await addToDirectory(tx, { officeId, kind: 'person', key: personId });
    });
  }
  return personId;
}
