import { sql } from 'kysely';
import type { Db } from '#server/kit/db/db.ts';

/** An address with the words it is found by. */
export interface FoundAddress {
  npi: string;
  name: string;
  otherName: string | null;
  addressLine1: string;
  addressLine2: string | null;
  city: string;
  state: string;
  zip: string;
  nameWords: string;
  placeWords: string;
  words: string;
}

/** A word of the addresses that a typed one may stand for, and how many addresses have it. */
export interface KnownWord {
  /** The index of the typed word. */
  typed: number;
  word: string;
  addresses: number;
}

const shown = sql.raw(
  'a.npi, a.name, a.other_name, a.address_line1, a.address_line2, a.city, a.state, a.zip, a.name_words, a.place_words, a.words',
);

export async function addressByNpi(db: Db, npi: string): Promise<FoundAddress[]> {
  return (await sql<FoundAddress>`select ${shown} from nppes.address a where a.npi = ${npi}`.execute(db)).rows;
}

/** The telephone number NPPES lists for an NPI, ten digits. */
export async function listedPhone(db: Db, npi: string): Promise<string | null> {
  const { rows } = await sql<{ phone: string | null }>`select phone from nppes.address where npi = ${npi}`.execute(db);
  return rows[0]?.phone ?? null;
}

/** Addresses whose name, or whose street and what follows it, begins with these letters. */
export async function addressesBeginning(db: Db, letters: string, atMost: number): Promise<FoundAddress[]> {
  const end = `${letters}\u{10FFFF}`;
  const { rows } = await sql<FoundAddress>`
    (select ${shown} from nppes.address a where a.name_words >= ${letters} and a.name_words < ${end}
     order by a.name_words limit ${atMost}::int)
    union all
    (select ${shown} from nppes.address a where a.place_words >= ${letters} and a.place_words < ${end}
     order by a.place_words limit ${atMost}::int)`.execute(db);
  return rows;
}

/** Addresses that have the words asked for, short names first. */
export async function addressesWith(db: Db, tsquery: string, atMost: number): Promise<FoundAddress[]> {
  return (await sql<FoundAddress>`select * from addresses_with(${tsquery}::text::tsquery, ${atMost}::int)`.execute(db))
    .rows;
}

/** The words themselves, as far as they are known, and the commonest that begin with the open ones. */
export async function knownWords(db: Db, exact: Spelling[], open: Spelling[], atMost: number): Promise<KnownWord[]> {
  const beginning = (letters: number) => sql`
    select t.place, w.word, w.addresses from open_word t cross join lateral (
      select word, addresses from nppes.word
      where left(word, ${sql.lit(letters)}) = t.word collate "C" and word <> t.word
      order by addresses desc limit ${atMost}::int
    ) w where length(t.word) = ${sql.lit(letters)}`;
  const { rows } = await sql<KnownWord>`
    with open_word (place, word) as (
      select * from unnest(${open.map(({ typed }) => typed)}::int[], ${open.map(({ word }) => word)}::text[])
    )
    select t.place as typed, w.word, w.addresses
    from unnest(${exact.map(({ typed }) => typed)}::int[], ${exact.map(({ word }) => word)}::text[]) t (place, word)
    join nppes.word w on w.word = t.word collate "C"
    union all
    ${beginning(2)} union all ${beginning(3)} union all ${beginning(4)} union all
    select t.place, w.word, w.addresses from open_word t
    cross join lateral (
      select word, addresses from nppes.word
      where word > t.word collate "C" and word < (t.word || ${'\u{10FFFF}'}) collate "C"
      order by addresses desc limit ${atMost}::int
    ) w where length(t.word) > 4`.execute(db);
  return rows;
}

export interface Spelling {
  typed: number;
  word: string;
}

/** The commonest words that share a misspelling with a typed one; `misspelt` is a tsquery of them. */
export async function nearWords(
  db: Db,
  misspellings: { typed: number; misspelt: string }[],
  atMost: number,
): Promise<KnownWord[]> {
  const { rows } = await sql<KnownWord>`
    select t.place as typed, w.word, w.addresses
    from unnest(${misspellings.map(({ typed }) => typed)}::int[], ${misspellings.map(({ misspelt }) => misspelt)}::text[]) t (place, misspelt)
    cross join lateral (
      select word, addresses from nppes.word where misspelt @@ t.misspelt::tsquery
      order by addresses desc limit ${atMost}::int
    ) w`.execute(db);
  return rows;
}
