import { madeUpPractice } from '#db/seed/practices.ts';
import { createSeededRandom } from '#db/seed/seeded-random.ts';

/** What somebody types to find one practice. */
export interface Typing {
  text: string;
  npi: string;
  kind: (typeof kinds)[number];
}

export const kinds = ['plain', 'abbreviation', 'typo'] as const;

const longAndShort = [
  ['street', 'st'], ['avenue', 'ave'], ['road', 'rd'], ['drive', 'dr'], ['boulevard', 'blvd'], ['lane', 'ln'],
  ['parkway', 'pkwy'], ['highway', 'hwy'], ['north', 'n'], ['south', 's'], ['east', 'e'], ['west', 'w'], ['saint', 'st'],
  ['mount', 'mt'], ['fort', 'ft'], ['center', 'ctr'], ['associates', 'assoc'], ['group', 'grp'], ['hospital', 'hosp'],
  ['pediatrics', 'peds'], ['suite', 'ste'], ['services', 'svcs'], ['heights', 'hts'], ['springs', 'spgs'],
] as const; // prettier-ignore
const other = new Map<string, string>(
  longAndShort.flatMap(([long, short]) => [
    [long, short],
    [short, long],
  ]),
);

/**
 * `count` searches for practices below `rows`, always the same for the same seed: exact, with the other spelling of each abbreviation, or
 * with a typo.
 */
export function typingScripts(count: number, rows: number, seed = 1): Typing[] {
  return Array.from({ length: count }, (_, i) => {
    const chance = createSeededRandom(seed * 7_919 + i);
    const practice = madeUpPractice(Math.floor(chance() * rows), 1);
    const name = practice.name
      .toLowerCase()
      .replace(/[,.]/g, '')
      .replace(/ (llc|pc|inc|pllc|pa|ltd)$/, '')
      .replace(/ & /g, ' ');
    const street = practice.addressLine1.toLowerCase();
    const city = practice.city.toLowerCase();
    const plain = [
      `${name} ${city}`,
      `${street} ${city}`,
      `${name} ${street}`,
      `${name} ${practice.zip}`,
      `${street} ${practice.zip}`,
    ];
    const text = plain[Math.floor(chance() * plain.length)] as string;
    const kind = kinds[i % kinds.length] as Typing['kind'];
    const typed = kind === 'plain' ? text : kind === 'typo' ? withTypo(text, chance) : inOtherWords(text);
    return { text: typed, npi: practice.npi, kind };
  });
}

const inOtherWords = (text: string) =>
  text
    .split(' ')
    .map((word) => other.get(word) ?? word)
    .join(' ');

/** One typo in one word of five letters or more: two letters swapped, one missing, doubled, or wrong. */
function withTypo(text: string, chance: () => number): string {
  const words = text.split(' ');
  const long = words.flatMap((word, i) => (/^[a-z]{5,}$/.test(word) ? [i] : []));
  const at = long[Math.floor(chance() * long.length)];
  if (at === undefined) return text;
  const word = words[at] as string;
  const place = 1 + Math.floor(chance() * (word.length - 2));
  const [before, here, next, after] = [word.slice(0, place), word[place], word[place + 1] ?? '', word.slice(place + 2)];
  const slips = [
    `${before}${next}${here}${after}`,
    `${before}${next}${after}`,
    `${before}${here}${here}${next}${after}`,
    `${before}${'aeioutrsn'[Math.floor(chance() * 9)]}${next}${after}`,
  ];
  words[at] = slips[Math.floor(chance() * slips.length)] as string;
  return words.join(' ');
}
