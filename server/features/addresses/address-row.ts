import { states } from '#contract/practice/choices.ts';
import { searchWords } from './abbreviations.ts';

/** One practice location from the NPPES file. */
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
  /** Ten digits. */
  phone: string | null;
}

/** The columns of `nppes.address`, in the order of `copyLine`. */
export const columns =
  'npi, name, other_name, address_line1, address_line2, city, state, zip, phone, name_words, place_words, words';

/** One line of COPY's text format, including the search words. */
export function copyLine(row: AddressRow): string {
  const nameWords = searchWords(row.name);
  const placeWords = searchWords(`${row.addressLine1} ${row.city} ${row.state} ${row.zip}`);
  const words: string[] = [];
  addNew(words, nameWords);
  addNew(words, placeWords);
  addNew(words, stateWords(row.state));
  if (row.otherName) addNew(words, searchWords(row.otherName));
  if (row.addressLine2) addNew(words, searchWords(row.addressLine2));
  if (words.length === 0) words.push(row.npi);
  return (
    `${row.npi}\t${cell(row.name)}\t${cell(row.otherName)}\t${cell(row.addressLine1)}\t${cell(row.addressLine2)}\t${cell(row.city)}` +
    `\t${cell(row.state)}\t${cell(row.zip)}\t${cell(row.phone)}\t${nameWords.join(' ')}\t${placeWords.join(' ')}\t${words.join(' ')}\n`
  );
}

/** The lists are so short that a linear search is faster than a set. */
function addNew(words: string[], more: readonly string[]): void {
  for (const word of more) if (!words.includes(word)) words.push(word);
}

const wordsOfStates = new Map<string, string[]>();

function stateWords(state: string): string[] {
  let words = wordsOfStates.get(state);
  if (!words) wordsOfStates.set(state, (words = searchWords(states[state]?.en ?? '')));
  return words;
}

function cell(value: string | null): string {
  if (value === null) return '\\N';
  return /[\\\t\n\r]/.test(value) ? value.replaceAll('\\', '\\\\').replace(/[\t\n\r]+/g, ' ') : value;
}
