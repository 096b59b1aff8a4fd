import type { Selectable } from 'kysely';
import type { QueueSettings } from '#contract/practice/office.ts';
import type { DB } from '#db/tables.ts';
import { oncePer, type Tx } from './kit/db/db.ts';

export type OfficeRow = Omit<Selectable<DB['office']>, 'queueSettings' | 'settings'> & {
  queueSettings: QueueSettings;
  settings: Record<string, unknown>;
};

/** The office a transaction works in: read once, however many verbs ask. Whoever changes the row reads it for itself. */
export function officeRow(tx: Tx, officeId: string): Promise<OfficeRow> {
  return oncePer(tx, `office ${officeId}`, async () => {
    const row = await tx.selectFrom('office').selectAll().where('id', '=', officeId).executeTakeFirstOrThrow();
    return row as unknown as OfficeRow;
  });
}

/** The number an office's patients check in with: its NPI, or one of its own where another location has the page of that NPI. */
export const checkInNumber = ({ npi, checkInNpi }: Pick<OfficeRow, 'npi' | 'checkInNpi'>) => checkInNpi ?? npi;

/** Where they check in. */
export const checkInPage = (office: Pick<OfficeRow, 'npi' | 'checkInNpi'>, publicUrl: string) =>
  `${publicUrl}/c/${checkInNumber(office)}`;

/** A new practice that nobody has confirmed yet. */
export const isLimited = async (tx: Tx, officeId: string) => (await officeRow(tx, officeId)).confirmedAt === null;

/** Makes others that lock the same office wait, for rules about two tables that each of them changes one of. */
export const lockOffice = (tx: Tx, officeId: string) =>
  tx.selectFrom('office').select('id').where('id', '=', officeId).forUpdate().executeTakeFirstOrThrow();
