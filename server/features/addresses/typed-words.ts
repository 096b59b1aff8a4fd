import type { KnownWord, Spelling } from './sql.ts';
import { lettersApart, mayHaveTypos, oneLetterLess, typosAtMost } from './typos.ts';
import { longFormsNear, completions, searchWords } from './abbreviations.ts';

/** One word of the query, and the indexed words it may stand for with their fit from 0 to 1. */
export interface TypedWord {
  word: string;
  /** The word is still being typed. */
  open: boolean;
  /** Its possible completions and abbreviations, including itself. */
  spellings: string[];
  stands: Map<string, number>;
  /** Number of addresses with one of these words. */
  addresses: number;
}

const fits = { exact: 1, begins: 0.9, shortened: 0.7, oneOff: 0.75, twoOff: 0.55 };

/** Splits the query into words. Only the last word is open, and only if no space follows it. */
export function typedWords(text: string): TypedWord[] {
  const words = searchWords(text);
  const open = /[\p{L}\p{N}'’.]$/u.test(text);
  return words.map((word, i) => {
    const last = open && i === words.length - 1;
    const spellings = last ? [...new Set([word, ...completions(text)])] : [word];
    return { word, open: last, spellings, stands: new Map(), addresses: 0 };
  });
}

/** Look-ups for the words as typed, and for completions of the open word from its second letter on. */
export function typedLookUps(words: TypedWord[]): { exact: Spelling[]; open: Spelling[] } {
  return {
    exact: words.flatMap(({ spellings }, typed) => spellings.map((word) => ({ typed, word }))),
    open: words.flatMap(({ word, open, spellings }, typed) =>
      open && word.length >= 2 ? spellings.filter((s) => s.length >= 2).map((s) => ({ typed, word: s })) : [],
    ),
  };
}

/** Look-ups for shortened and misspelled words, if the words as typed find too little. */
export function meantLookUps(words: TypedWord[]): {
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

/** How an indexed word was matched. */
type Kind = 'typed' | 'shortened' | 'misspelt' | 'misspelt long form';

/** Adds matched words to the typed words they may stand for. */
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

/** The index has common long forms only as abbreviations, so their typos ("Steet", "Mediacl") are matched here. */
export function misspeltLongForms(words: TypedWord[]): Spelling[] {
  return words.flatMap(({ word, open }, typed) =>
    mayHaveTypos(word) ? longFormsNear(word, open).map((short) => ({ typed, word: short })) : [],
  );
}
