import { formsOfNewPractice } from '#contract/forms/settings.ts';
import type { SavedChatSettings } from '#contract/practice/chat-settings.ts';
import type { MessageSettings } from '#contract/practice/message-settings.ts';
import { queueSettingsDefault, type QueueSettings } from '#contract/practice/office.ts';
import { asOffice, type Db, type Tx } from '#server/kit/db/db.ts';
import type { Services } from '#server/context.ts';
import { insertIdentity, insertMembership, insertPerson } from './people-sql.ts';
import { insertConfirmation, insertNpi, insertOfficeRow } from './sql.ts';

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
  /** The office's own number, E.164: the sender of its texts, and where replies go. Null until a limited practice is confirmed. */
  textNumber: string | null;
  /** The number that patients call, E.164. */
  phone?: string | null;
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
  /** The panel shows the first steps of a new practice. */
  firstStepsShown?: boolean;
  settings?: Record<string, unknown>;
  queueSettings?: Partial<QueueSettings>;
  messageSettings?: Partial<MessageSettings>;
  chatSettings?: SavedChatSettings;
}

/** Adds a practice and returns its id. `owner` is a login that may insert offices (operator, seed, tests). */
export async function addOffice(
  owner: Db,
  { id, now }: Pick<Services, 'id' | 'now'>,
  newOffice: NewOffice,
): Promise<string> {
  const officeId = id();
  await asOffice(owner, officeId, (tx) => insertOffice(tx, { id, now }, officeId, newOffice));
  return officeId;
}

/** The same inside a transaction that is already in the office (`asOffice`), with a given id. */
export async function insertOffice(
  tx: Tx,
  { id, now }: Pick<Services, 'id' | 'now'>,
  officeId: string,
  { settings, queueSettings, messageSettings, chatSettings, confirmedBy = 'operator', ...columns }: NewOffice,
): Promise<void> {
  const createdAt = now();
  await insertOfficeRow(tx, {
    ...columns,
    id: officeId,
    settings: JSON.stringify(settings ?? {}),
    queueSettings: JSON.stringify({ ...queueSettingsDefault, ...queueSettings }),
    messageSettings: JSON.stringify(messageSettings ?? {}),
    chatSettings: JSON.stringify(chatSettings ?? {}),
    confirmedAt: confirmedBy && createdAt,
    confirmedBy,
    createdAt,
  });
  if (!confirmedBy) await insertConfirmation(tx, { officeId, id: id(), createdAt });
  await insertNpi(tx, { officeId, id: id(), npi: columns.npi, current: true });
  if (columns.checkInNpi) await insertNpi(tx, { officeId, id: id(), npi: columns.checkInNpi, current: false });
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
  newStaff: NewStaff,
  officeIds: string[],
): Promise<string> {
  const personId = id();
  await insertPerson(owner, {
    id: personId,
    name: newStaff.name,
    language: newStaff.language ?? null,
    createdAt: now(),
  });
  for (const kind of ['email', 'phone'] as const) {
    const value = newStaff[kind];
    if (value) await insertIdentity(owner, { id: id(), personId, kind, value, verifiedAt: now() });
  }
  const { email = null, phone = null } = newStaff;
  for (const officeId of officeIds)
    await asOffice(owner, officeId, (tx) =>
      insertMembership(tx, { officeId, id: id(), personId, createdAt: now(), email, phone }),
    );
  return personId;
}
