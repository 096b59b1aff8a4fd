import { stateNames, wordsOf } from './words.ts';

/** One practice location as the import keeps it. */
export interface AddressRow {
  npi: string;
  name: string;
  otherName: string | null;
  addressLine1: string;
  addressLine2: string | null;
  city: string;
  state: string;
  /** Five digits, or empty. */
  zip: string;
}

/** The columns of `nppes.address`, in the order of `copyLine`. */
export const columns =
  'npi, name, other_name, address_line1, address_line2, city, state, zip, name_words, place_words, words';

/** One line of COPY's text format, with the words the search finds it by. */
export function copyLine(row: AddressRow): string {
  const nameWords = wordsOf(row.name);
  const placeWords = [...wordsOf(row.addressLine1), ...townWords(row)];
  const words = new Set([...nameWords, ...placeWords, ...stateWords(row.state)]);
  if (row.otherName) for (const word of wordsOf(row.otherName)) words.add(word);
  if (row.addressLine2) for (const word of wordsOf(row.addressLine2)) words.add(word);
  if (words.size === 0) words.add(row.npi);
  return (
    `${row.npi}\t${cell(row.name)}\t${cell(row.otherName)}\t${cell(row.addressLine1)}\t${cell(row.addressLine2)}\t${cell(row.city)}` +
    `\t${cell(row.state)}\t${cell(row.zip)}\t${nameWords.join(' ')}\t${placeWords.join(' ')}\t${[...words].join(' ')}\n`
  );
}

const wordsOfStates = new Map<string, string[]>();
const wordsOfTowns = new Map<string, string[]>();
/** Towns come again and again; the fifty thousandth begins the list anew, so that memory stays what it is. */
const townsKept = 50_000;

function stateWords(state: string): string[] {
  return wordsOfStates.get(state) ?? kept(wordsOfStates, state, stateNames[state] ?? '');
}

function townWords({ city, state, zip }: AddressRow): string[] {
  const town = `${city} ${state} ${zip}`;
  return wordsOfTowns.get(town) ?? kept(wordsOfTowns, town, town);
}

function kept(of: Map<string, string[]>, key: string, text: string): string[] {
  const words = wordsOf(text);
  if (of.size >= townsKept) of.clear();
  of.set(key, words);
  return words;
}

function cell(value: string | null): string {
  if (value === null) return '\\N';
  return /[\\\t\n\r]/.test(value) ? value.replaceAll('\\', '\\\\').replace(/[\t\n\r]+/g, ' ') : value;
}
