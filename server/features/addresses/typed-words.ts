import type { KnownWord, Spelling } from './sql.ts';
import { lettersApart, mayHaveTypos, oneLetterLess, typosAtMost } from './typos.ts';
import { longFormsNear, completions, searchWords } from './abbreviations.ts';

/** One typed word, and the words of addresses it may stand for: how well each fits, from 0 to 1. */
export interface TypedWord {
  word: string;
  /** Nothing was typed after it yet. */
  open: boolean;
  /** What it may become or be short for, itself among them. */
  spellings: string[];
  stands: Map<string, number>;
  /** In how many addresses one of them is. */
  addresses: number;
}

const fits = { exact: 1, begins: 0.9, shortened: 0.7, oneOff: 0.75, twoOff: 0.55 };

/** Takes apart what was typed. Only the last word is open, and only while no space follows it. */
export function typedWords(text: string): TypedWord[] {
  const words = searchWords(text);
  const open = /[\p{L}\p{N}'’.]$/u.test(text);
  return words.map((word, i) => {
    const last = open && i === words.length - 1;
    const spellings = last ? [...new Set([word, ...completions(text)])] : [word];
    return { word, open: last, spellings, stands: new Map(), addresses: 0 };
  });
}

/** The words to look up as typed: themselves; and what the open one, from its second letter on, may become. */
export function asTyped(words: TypedWord[]): { exact: Spelling[]; open: Spelling[] } {
  return {
    exact: words.flatMap(({ spellings }, typed) => spellings.map((word) => ({ typed, word }))),
    open: words.flatMap(({ word, open, spellings }, typed) =>
      open && word.length >= 2 ? spellings.filter((s) => s.length >= 2).map((s) => ({ typed, word: s })) : [],
    ),
  };
}

/** The words to look up when those as typed lead nowhere: shortened ones, and misspelt ones. */
export function asMeant(words: TypedWord[]): {
  shortened: Spelling[];
  misspelt: { typed: number; misspelt: string }[];
} {
  return {
    shortened: words.flatMap(({ word, open }, typed) => (!open && word.length >= 3 ? [{ typed, word }] : [])),
    misspelt: words.flatMap(({ word, open }, typed) =>
      mayHaveTypos(word)
        ? [
            {
              typed,
              misspelt: oneLetterLess(word)
                .map((less) => (open ? `'${less}':*` : `'${less}'`))
                .join(' | '),
            },
          ]
        : [],
    ),
  };
}

/** How a known word was come by. */
type Kind = 'typed' | 'shortened' | 'misspelt' | 'misspelt long form';

/** Notes for each typed word what it may stand for. */
export function stand(words: TypedWord[], known: KnownWord[], as: Kind): void {
  for (const { typed, word, addresses } of known) {
    const one = words[typed];
    if (!one || one.stands.has(word)) continue;
    const fit = fitOf(one, word, as);
    if (fit === 0) continue;
    one.stands.set(word, fit);
    one.addresses += addresses;
  }
}

function fitOf({ word: typed, spellings, open }: TypedWord, word: string, as: Kind): number {
  if (as === 'shortened') return fits.shortened;
  if (as === 'misspelt long form') return fits.oneOff;
  if (as === 'typed') return spellings.includes(word) ? fits.exact : fits.begins;
  const apart = lettersApart(typed, word, open);
  if (apart > typosAtMost(typed)) return 0;
  return apart <= 1 ? fits.oneOff : fits.twoOff;
}

/** Common long forms are kept by their abbreviation only, so their typos are looked for here: "Steet", "Mediacl". */
export function misspeltLongForms(words: TypedWord[]): Spelling[] {
  return words.flatMap(({ word, open }, typed) =>
    mayHaveTypos(word) ? longFormsNear(word, open).map((short) => ({ typed, word: short })) : [],
  );
}
