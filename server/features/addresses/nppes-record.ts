import { UsageError } from '#server/kit/command.ts';
import type { AddressRow } from './address-row.ts';

/** The columns we read, by the names CMS gives them; the file has 330. */
const columnNames = {
  npi: 'NPI',
  entity: 'Entity Type Code',
  organization: 'Provider Organization Name (Legal Business Name)',
  lastName: 'Provider Last Name (Legal Name)',
  firstName: 'Provider First Name',
  credential: 'Provider Credential Text',
  otherName: 'Provider Other Organization Name',
  line1: 'Provider First Line Business Practice Location Address',
  line2: 'Provider Second Line Business Practice Location Address',
  city: 'Provider Business Practice Location Address City Name',
  state: 'Provider Business Practice Location Address State Name',
  zip: 'Provider Business Practice Location Address Postal Code',
  country: 'Provider Business Practice Location Address Country Code (If outside U.S.)',
  phone: 'Provider Business Practice Location Address Telephone Number',
  deactivated: 'NPI Deactivation Date',
  reactivated: 'NPI Reactivation Date',
} as const;

export interface RecordReader {
  /** How many columns every record must have. */
  width: number;
  /** The practice in a record (Latin-1 strings, one character per byte); null if it does not belong in the search. */
  read(record: string[]): AddressRow | null;
}

/** Finds our columns in the file's header, in any order; throws UsageError if one is missing. */
export function createRecordReader(header: string[], individuals: boolean): RecordReader {
  const names = header.map((name) => name.trim());
  const missing = Object.values(columnNames).filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new UsageError(
      `This is no NPPES file: it has no column "${missing[0]}"${missing.length > 1 ? ` and ${missing.length - 1} more of ours are missing` : ''}. Take npidata_pfile_….csv, or the .zip as CMS ships it.`,
    );
  const at = Object.fromEntries(Object.entries(columnNames).map(([key, name]) => [key, names.indexOf(name)])) as Record<
    keyof typeof columnNames,
    number
  >;
  const field = (record: string[], key: keyof typeof columnNames) => {
    const value = record[at[key]] ?? '';
    return value === '' ? '' : decodeField(value).trim();
  };
  const belongsInSearch = (record: string[]): boolean => {
    const entity = record[at.entity];
    if (entity !== '2' && !(individuals && entity === '1')) return false;
    if (!/^\d{10}$/.test(record[at.npi] ?? '')) return false;
    if (isDeactivated(record[at.deactivated] ?? '', record[at.reactivated] ?? '')) return false;
    const country = record[at.country] ?? '';
    return country === '' || country === 'US';
  };
  return {
    width: header.length,
    read(record) {
      if (!belongsInSearch(record)) return null;
      const entity = record[at.entity];
      const npi = record[at.npi] ?? '';
      const name = entity === '2' ? field(record, 'organization') : personName(record, field);
      const addressLine1 = field(record, 'line1');
      const city = field(record, 'city');
      if (name === '' || addressLine1 === '' || city === '') return null;
      const otherName = entity === '2' ? field(record, 'otherName') : '';
      return {
        npi,
        name,
        otherName: otherName === '' || /^<.*>$/.test(otherName) ? null : otherName,
        addressLine1,
        addressLine2: field(record, 'line2') || null,
        city,
        state: field(record, 'state').toUpperCase(),
        zip: /^\d{5}/.exec(record[at.zip] ?? '')?.[0] ?? '',
        phone: /^\d{10}$/.exec((record[at.phone] ?? '').replace(/\D/g, ''))?.[0] ?? null,
      };
    },
  };
}

function personName(record: string[], field: (record: string[], key: keyof typeof columnNames) => string): string {
  const name = `${field(record, 'firstName')} ${field(record, 'lastName')}`.trim();
  const credential = field(record, 'credential');
  return name && credential ? `${name}, ${credential}` : name;
}

/** Whether the NPI is deactivated and was not reactivated later; days as MM/DD/YYYY. */
function isDeactivated(deactivated: string, reactivated: string): boolean {
  if (deactivated === '') return false;
  return reactivated === '' || sortable(reactivated) < sortable(deactivated);
}

const sortable = (day: string) => day.slice(6) + day.slice(0, 5);

const utf8 = new TextDecoder('utf-8', { fatal: true });
const latin1 = new TextDecoder('windows-1252');

/** Decodes a field as UTF-8 if it is valid UTF-8, else as Latin-1. CMS has shipped both. */
export function decodeField(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  try {
    return utf8.decode(buffer);
  } catch {
    return latin1.decode(buffer);
  }
}
