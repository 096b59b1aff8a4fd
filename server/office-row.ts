import type { Selectable } from 'kysely';
import { ambuSettingsDefault, type AmbuSettings } from '#contract/ambulatory/surveys.ts';
import { chatSettingsDefault, type ChatSettings } from '#contract/practice/chat-settings.ts';
import { messageSettingsDefault, type MessageSettings } from '#contract/practice/message-settings.ts';
import { standardSmsTexts } from '#contract/sms.ts';
import type { DB } from '#db/tables.ts';
import { loadOncePerTransaction, type Tx } from './kit/db/db.ts';

export type OfficeRow = Selectable<DB['office']>;

/** The transaction's office, read once per transaction. Code that changes the row reads it separately. */
export function officeRow(tx: Tx, officeId: string): Promise<OfficeRow> {
  return loadOncePerTransaction(tx, `office ${officeId}`, () =>
    tx.selectFrom('office').selectAll().where('id', '=', officeId).executeTakeFirstOrThrow(),
  );
}

/** The number of an office's check-in page: its NPI, or its own number if another location uses that NPI's page. */
export const checkInNumber = ({ npi, checkInNpi }: Pick<OfficeRow, 'npi' | 'checkInNpi'>) => checkInNpi ?? npi;

/** The URL of the check-in page. */
export const checkInPage = (office: Pick<OfficeRow, 'npi' | 'checkInNpi'>, publicUrl: string) =>
  `${publicUrl}/c/${checkInNumber(office)}`;

type SmsOffice = Pick<OfficeRow, 'name' | 'npi' | 'checkInNpi'>;

/** The product's own messages of Send SMS. */
export const productSmsTexts = (office: SmsOffice, publicUrl: string) =>
  standardSmsTexts(office.name, checkInPage(office, publicUrl));

/** The one that Send SMS suggests until the practice saves another. */
export const productSmsText = (office: SmsOffice, publicUrl: string) => productSmsTexts(office, publicUrl).en;

/** Whether these are the product's own words, in any language, and not the practice's. */
export const isProductSmsText = (office: SmsOffice, publicUrl: string, body: string) =>
  Object.values(productSmsTexts(office, publicUrl)).includes(body);

/** What Send SMS suggests: the practice's own message, or the product's. */
export const defaultSmsText = (office: OfficeRow, publicUrl: string) =>
  typeof office.settings.sms === 'string' ? office.settings.sms : productSmsText(office, publicUrl);

/** The practice's message settings; the defaults for those it has not saved. */
export const messageSettingsOf = ({ messageSettings }: Pick<OfficeRow, 'messageSettings'>): MessageSettings => ({
  ...messageSettingsDefault,
  ...messageSettings,
});

/** How the practice set up the chat on its website; the defaults for what it has not saved. */
export const chatSettingsOf = ({
  settings,
  chatSettings,
}: Pick<OfficeRow, 'settings' | 'chatSettings'>): ChatSettings => ({
  ...chatSettingsDefault,
  ...chatSettings,
  chatEnabled: settings.chatEnabled === true,
});

/** How the practice follows its ambulatory patients; the defaults for what it has not saved. */
export const ambuSettingsOf = ({ ambuSettings }: Pick<OfficeRow, 'ambuSettings'>): AmbuSettings => ({
  ...ambuSettingsDefault,
  ...ambuSettings,
});

/** When somebody answers the website's chat: hours of its own, or the opening hours. Nobody does on a day on which the office is closed. */
export const chatHoursOf = ({ chatSettings, queueSettings }: Pick<OfficeRow, 'chatSettings' | 'queueSettings'>) => ({
  ...queueSettings,
  openingHours: chatSettings.hours ?? queueSettings.openingHours,
});

/** Whether visitors of the practice's website may chat: it is turned on, and the practice may write in its own words. */
export const isChatOn = (office: OfficeRow) =>
  office.settings.chatEnabled === true && office.agreementSignedAt !== null && office.confirmedAt !== null;

/** Whether this is a new practice that is not confirmed yet. */
export const isLimited = async (tx: Tx, officeId: string) => (await officeRow(tx, officeId)).confirmedAt === null;

/**
 * Locks the office, for rules about two tables that concurrent transactions change one each. Rows that refer to the office can be written
 * meanwhile: a transaction that holds an episode and writes its text would otherwise deadlock with one that holds the office.
 */
export const lockOffice = (tx: Tx, officeId: string) =>
  tx.selectFrom('office').select('id').where('id', '=', officeId).forNoKeyUpdate().executeTakeFirstOrThrow();
