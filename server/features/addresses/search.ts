import { maxAddresses, searchFromLetters, type Address } from '#contract/addresses.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/kit/db/db.ts';
import { rankAddresses } from './rank-addresses.ts';
import { formatAddress } from './display-address.ts';
import { addressByNpi, addressesBeginning, addressesWith, knownWords, nearWords, type FoundAddress } from './sql.ts';
import { meantLookUps, typedLookUps, misspeltLongForms, stand, typedWords, type TypedWord } from './typed-words.ts';

/** Number of addresses that are ranked: the matches with the shortest names. */
const weighed = 200;
/** With fewer results than this, the query may contain a typo. */
const few = 3;
const wordsAtMost = 10;
/** A shorter word being typed only ranks the other words' results. If it is a known word ("NY") and they find too many, it is searched too. */
const meaningful = 3;
/** Number of completions tried for the word being typed, the most common first. */
const ends = 40;
const near = 200;

/** The best matching addresses, best first; none before the third letter. */
export async function searchAddresses({ db }: Pick<Services, 'db'>, typed: string): Promise<Address[]> {
  const npi = typed.trim();
  const found = /^\d{10}$/.test(npi)
    ? await addressByNpi(db, npi)
    : await nearest(db, typedWords(typed).slice(0, wordsAtMost));
  return found.slice(0, maxAddresses).map(formatAddress);
}

async function nearest(db: Db, words: TypedWord[]): Promise<FoundAddress[]> {
  if (words.reduce((letters, { word }) => letters + word.length, 0) < searchFromLetters) return [];
  const found = new Map<string, FoundAddress>();
  const add = (rows: FoundAddress[]) => rows.forEach((row) => void found.set(row.npi, row));

  for (const rows of await Promise.all(
    beginnings(words).map((letters) => addressesBeginning(db, letters, maxAddresses)),
  ))
    add(rows);
  if (found.size >= maxAddresses) return rankAddresses(words, [...found.values()]);

  const { exact, open } = typedLookUps(words);
  stand(words, await knownWords(db, exact, open, ends), 'typed');
  const begun =
    words.length > 1 ? words.find(({ word, open: isOpen }) => isOpen && word.length < meaningful) : undefined;
  const searched = words.filter((word) => word !== begun);
  if (searched.every(({ stands }) => stands.size > 0)) add(await addressesWith(db, allOf(searched), weighed));
  if (begun && found.size >= weighed && begun.stands.get(begun.word) === 1)
    add(await addressesWith(db, `${allOf(searched)}&'${begun.word}'`, weighed));

  if (found.size < few) {
    const { shortened, misspelt } = meantLookUps(searched);
    const [longer, alike, long] = await Promise.all([
      knownWords(db, [], shortened, ends),
      misspelt.length > 0 ? nearWords(db, misspelt, near) : [],
      knownWords(db, misspeltLongForms(searched), [], ends),
    ]);
    stand(searched, alike, 'misspelt');
    stand(searched, long, 'misspelt long form');
    stand(searched, longer, 'shortened');
    const known = searched.filter(({ stands }) => stands.size > 0);
    if (known.length > 0) add(await addressesWith(db, allOf(known), weighed));
    if (found.size === 0 && known.length > 1) add(await addressesWith(db, allButOne(known), weighed));
  }
  return rankAddresses(words, [...found.values()]);
}

/** The query as the beginning of a name or place, in each spelling of the word being typed. */
function beginnings(words: TypedWord[]): string[] {
  const last = words.at(-1);
  if (!last) return [];
  const before = words
    .slice(0, -1)
    .map(({ word }) => `${word} `)
    .join('');
  return last.spellings.slice(0, 3).map((spelling) => before + spelling);
}

const anyOf = ({ stands }: TypedWord) => `(${[...stands.keys()].map((word) => `'${word}'`).join('|')})`;
const allOf = (words: TypedWord[]) => words.map(anyOf).join('&');
const allButOne = (words: TypedWord[]) =>
  words.map((one) => `(${allOf(words.filter((other) => other !== one))})`).join('|');

/** One address by its NPI (`addressId` of a registration), or null. */
export async function readAddress({ db }: Pick<Services, 'db'>, npi: string): Promise<Address | null> {
  const [found] = await addressByNpi(db, npi);
  return found ? formatAddress(found) : null;
}
