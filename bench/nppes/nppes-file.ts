import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { madeUpPractice } from '#db/seed/practices.ts';
import { createSeededRandom } from '#db/seed/seeded-random.ts';

const numbered = (from: number, to: number, names: string[]) =>
  Array.from({ length: to - from + 1 }, (_, i) => names.map((name) => `${name}_${from + i}`)).flat();

const mailing = ['Mailing', 'Practice Location'].flatMap((kind) => [
  `Provider First Line Business ${kind} Address`,
  `Provider Second Line Business ${kind} Address`,
  `Provider Business ${kind} Address City Name`,
  `Provider Business ${kind} Address State Name`,
  `Provider Business ${kind} Address Postal Code`,
  `Provider Business ${kind} Address Country Code (If outside U.S.)`,
  `Provider Business ${kind} Address Telephone Number`,
  `Provider Business ${kind} Address Fax Number`,
]);

/** The 330 columns of the monthly file, with CMS's names and order. */
export const nppesHeader = [
  'NPI',
  'Entity Type Code',
  'Replacement NPI',
  'Employer Identification Number (EIN)',
  'Provider Organization Name (Legal Business Name)',
  'Provider Last Name (Legal Name)',
  'Provider First Name',
  'Provider Middle Name',
  'Provider Name Prefix Text',
  'Provider Name Suffix Text',
  'Provider Credential Text',
  'Provider Other Organization Name',
  'Provider Other Organization Name Type Code',
  'Provider Other Last Name',
  'Provider Other First Name',
  'Provider Other Middle Name',
  'Provider Other Name Prefix Text',
  'Provider Other Name Suffix Text',
  'Provider Other Credential Text',
  'Provider Other Last Name Type Code',
  ...mailing,
  'Provider Enumeration Date',
  'Last Update Date',
  'NPI Deactivation Reason Code',
  'NPI Deactivation Date',
  'NPI Reactivation Date',
  'Provider Sex Code',
  'Authorized Official Last Name',
  'Authorized Official First Name',
  'Authorized Official Middle Name',
  'Authorized Official Title or Position',
  'Authorized Official Telephone Number',
  ...numbered(1, 15, [
    'Healthcare Provider Taxonomy Code',
    'Provider License Number',
    'Provider License Number State Code',
    'Healthcare Provider Primary Taxonomy Switch',
  ]),
  ...numbered(1, 50, [
    'Other Provider Identifier',
    'Other Provider Identifier Type Code',
    'Other Provider Identifier State',
    'Other Provider Identifier Issuer',
  ]),
  'Is Sole Proprietor',
  'Is Organization Subpart',
  'Parent Organization LBN',
  'Parent Organization TIN',
  'Authorized Official Name Prefix Text',
  'Authorized Official Name Suffix Text',
  'Authorized Official Credential Text',
  ...numbered(1, 15, ['Healthcare Provider Taxonomy Group']),
  'Certification Date',
];

const places = new Map(nppesHeader.map((name, i) => [name, i]));

/** One row of the file; missing columns are empty. */
export function nppesLine(given: Record<string, string>): string {
  const cells = Array<string>(nppesHeader.length).fill('""');
  for (const [name, value] of Object.entries(given)) {
    const place = places.get(name);
    if (place === undefined) throw new Error(`NPPES has no column ${name}`);
    cells[place] = `"${value.replaceAll('"', '""')}"`;
  }
  return `${cells.join(',')}\n`;
}

export const headerLine = `${nppesHeader.map((name) => `"${name}"`).join(',')}\n`;

/** The record of made-up practice `n`; a share are people or deactivated, as in `wishes`. */
function madeUpRecord(n: number, wishes: { seed: number; individuals: number; deactivated: number }): string {
  const { npi, name, otherName, addressLine1, addressLine2, city, state, zip } = madeUpPractice(n, wishes.seed);
  const chance = createSeededRandom(n ^ 0x2545f491);
  if (chance() < wishes.deactivated) return nppesLine({ NPI: npi, 'NPI Deactivation Date': '03/14/2021' });
  const isPerson = chance() < wishes.individuals;
  const [first = '', last = first] = name.split(' ');
  const phone = `212555${String(100 + Math.floor(chance() * 100)).padStart(4, '0')}`;
  return nppesLine({
    NPI: npi,
    ...(isPerson
      ? {
          'Entity Type Code': '1',
          'Provider Last Name (Legal Name)': last,
          'Provider First Name': first,
          'Provider Credential Text': 'M.D.',
          'Provider Sex Code': 'F',
          'Is Sole Proprietor': 'N',
        }
      : {
          'Entity Type Code': '2',
          'Employer Identification Number (EIN)': '<UNAVAIL>',
          'Provider Organization Name (Legal Business Name)': name,
          ...(otherName && {
            'Provider Other Organization Name': otherName,
            'Provider Other Organization Name Type Code': '3',
          }),
          'Is Organization Subpart': 'N',
          'Authorized Official Last Name': last,
          'Authorized Official First Name': first,
          'Authorized Official Title or Position': 'OWNER',
          'Authorized Official Telephone Number': phone,
        }),
    'Provider First Line Business Mailing Address': addressLine1,
    'Provider Business Mailing Address City Name': city,
    'Provider Business Mailing Address State Name': state,
    'Provider Business Mailing Address Postal Code': `${zip}0001`,
    'Provider Business Mailing Address Country Code (If outside U.S.)': 'US',
    'Provider First Line Business Practice Location Address': addressLine1,
    ...(addressLine2 && { 'Provider Second Line Business Practice Location Address': addressLine2 }),
    'Provider Business Practice Location Address City Name': city,
    'Provider Business Practice Location Address State Name': state,
    'Provider Business Practice Location Address Postal Code': `${zip}0001`,
    'Provider Business Practice Location Address Country Code (If outside U.S.)': 'US',
    'Provider Business Practice Location Address Telephone Number': phone,
    'Provider Enumeration Date': '05/23/2011',
    'Last Update Date': '07/08/2020',
    'Healthcare Provider Taxonomy Code_1': '208000000X',
    'Provider License Number_1': String(Math.floor(chance() * 1e6)),
    'Provider License Number State Code_1': state,
    'Healthcare Provider Primary Taxonomy Switch_1': 'Y',
    'Certification Date': '07/08/2020',
  });
}

export interface NppesFileOptions {
  rows: number;
  seed?: number;
  /** Shares from 0 to 1. */
  individuals?: number;
  deactivated?: number;
}

/** Writes a file of made-up practices with CMS's header, of any size, always the same for the same seed. */
export async function writeNppesFile(
  path: string,
  { rows, seed = 1, individuals = 0, deactivated = 0 }: NppesFileOptions,
) {
  const out = createWriteStream(path, { highWaterMark: 1 << 20 });
  out.write(headerLine);
  for (let n = 0; n < rows;) {
    const lines: string[] = [];
    for (const end = Math.min(rows, n + 500); n < end; n++)
      lines.push(madeUpRecord(n, { seed, individuals, deactivated }));
    if (!out.write(lines.join(''))) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}
