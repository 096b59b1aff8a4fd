import * as z from 'zod/mini';
import { hasCheckDigit, QueueSettingsChange } from '#contract/practice/office.ts';
import { numberToCall } from '#contract/practice/registration.ts';
import type { OfficeScope } from '#server/context.ts';
import { hasNpi } from '#server/own-office-name.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { UsageError } from '#server/kit/command.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { northAmericanPhone } from '#server/kit/phone.ts';
import { saveQueueSettings } from './queue-settings.ts';
import {
  insertNpi,
  readOfficeUncached,
  setCurrentNpi,
  setOfficeColumns,
  setOfficeSettings,
  type OfficeColumns as Columns,
} from './sql.ts';

const requiredColumn = (column: keyof Columns) => (value: string) => {
  if (value.trim() === '') throw new UsageError(`${column} may not be empty.`);
  return { [column]: value.trim() } as Columns;
};
const optionalColumn = (column: keyof Columns) => (value: string) => ({ [column]: value.trim() || null }) as Columns;

/** The columns an operator may set on an office, each with the parser of its value. */
export const officeKeys: Record<string, (value: string, now: Date) => Columns> = {
  name: requiredColumn('name'),
  address: requiredColumn('addressLine1'),
  city: requiredColumn('city'),
  state: requiredColumn('state'),
  zip: (value) => ({ zip: value.trim() }),
  timeZone: (value) => ({ timeZone: knownTimeZone(value) }),
  email: optionalColumn('email'),
  url: optionalColumn('url'),
  emr: requiredColumn('emr'),
  phone(value) {
    const phone = numberToCall(value);
    if (!phone && value.trim() !== '') throw new UsageError(`phone must be a US number, not "${value}".`);
    return { phone };
  },
  textNumber(value) {
    const textNumber = northAmericanPhone(value);
    if (!textNumber) throw new UsageError(`textNumber must be a US number, not "${value}".`);
    return { textNumber };
  },
  agreementSigned: (value, now) => ({ agreementSignedAt: yesOrNo('agreementSigned', value) ? now : null }),
  paymentsQuestionCompleted: (value) => ({ paymentsQuestionCompleted: yesOrNo('paymentsQuestionCompleted', value) }),
};

/** Sets `key=value` pairs on an office: its columns, `npi`, `settings.NAME` and `queue.NAME`. All or nothing. */
export async function changeOffice(scope: OfficeScope, pairs: [key: string, value: string][]): Promise<void> {
  await scope.transaction(async (tx) => {
    const columns: Columns = {};
    let queue: Record<string, unknown> | null = null;
    for (const [key, value] of pairs) {
      const own = Object.hasOwn(officeKeys, key) ? officeKeys[key] : undefined;
      if (own) Object.assign(columns, own(value, scope.now()));
      else if (key === 'npi') await changeNpi(tx, scope, value);
      else if (key.startsWith('settings.')) await changeSetting(tx, scope, key.slice('settings.'.length), value);
      else if (key.startsWith('queue.')) {
        queue ??= structuredClone((await readOfficeUncached(tx, scope.officeId)).queueSettings) as Record<
          string,
          unknown
        >;
        setAt(queue, key.slice('queue.'.length), parse(value));
      } else
        throw new UsageError(
          `"${key}" cannot be set. There is: npi, ${Object.keys(officeKeys).join(', ')}, settings.NAME, queue.NAME.`,
        );
    }
    if (Object.keys(columns).length > 0) await setOfficeColumns(tx, scope.officeId, columns);
    if (columns.textNumber)
      await addToDirectory(tx, { officeId: scope.officeId, kind: 'text_number', key: columns.textNumber });
    if (queue) await saveQueueSettings(scope, readQueueSettings(queue));
    const changed = pairs.map(([key]) => key).join(' ');
    await writeAuditEntry(tx, scope, { action: 'office.change', subject: 'office', details: { changed } });
    await sendHint(tx, { office: scope.officeId, type: 'settings' });
  });
}

/** Sets a new NPI; the old one stays an alias, so that printed QR codes keep working. */
async function changeNpi(tx: Tx, scope: OfficeScope, npi: string): Promise<void> {
  const { officeId } = scope;
  if (!hasCheckDigit(npi)) throw new UsageError(`${npi} is no NPI: ten digits, the last one a check digit.`);
  const isEarlier = await hasNpi(tx, officeId, npi);
  await setCurrentNpi(tx, officeId, npi);
  if (!isEarlier) await insertNpi(tx, { officeId, id: scope.id(), npi, current: true });
  await setOfficeColumns(tx, officeId, { npi, npiProvisional: npi.startsWith('9'), checkInNpi: null });
}

async function changeSetting(tx: Tx, scope: OfficeScope, path: string, value: string): Promise<void> {
  const settings = structuredClone((await readOfficeUncached(tx, scope.officeId)).settings);
  setAt(settings, path, value === '' ? undefined : parse(value));
  await setOfficeSettings(tx, scope.officeId, settings);
}

/** Sets the value at a dotted path; undefined removes it. */
function setAt(settings: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  if (names.some((name) => !/^[A-Za-z][A-Za-z0-9]*$/.test(name)))
    throw new UsageError(`"${path}" is no name of a setting.`);
  const last = names.pop() as string;
  let place = settings;
  for (const name of names) {
    const inner = Object.hasOwn(place, name) ? place[name] : undefined;
    place = (place[name] = typeof inner === 'object' && inner !== null ? inner : {}) as Record<string, unknown>;
  }
  if (value === undefined) delete place[last];
  else place[last] = value;
}

/** Parses `true`, `15` and `["a"]` as JSON; anything else is a string. */
function parse(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** The settings as a call would give them: `queue.autoInviteFrom=new-arrivals` leaves waiting patients as they are. */
function readQueueSettings(queue: Record<string, unknown>): QueueSettingsChange {
  const read = z.safeParse(QueueSettingsChange, queue);
  if (read.success) return read.data;
  throw new UsageError(`queue.${read.error.issues[0]?.path.join('.')} cannot be that.`);
}

/** An IANA time zone by its own spelling; throws UsageError for anything else. */
export function knownTimeZone(value: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    throw new UsageError(`"${value}" is no time zone. For example: America/New_York.`);
  }
}

function yesOrNo(key: string, value: string): boolean {
  if (/^(true|yes|on)$/i.test(value)) return true;
  if (/^(false|no|off)$/i.test(value)) return false;
  throw new UsageError(`${key} is true or false, not "${value}".`);
}
