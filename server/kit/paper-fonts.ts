import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFDocument, PDFFont } from 'pdf-lib';
import { fontkit, trueType, unpackWoff, type TrueType } from './true-type.ts';

/** Faces of our papers: text, bold text, and handwriting for typed signatures. */
export type Face = 'plain' | 'bold' | 'hand';

const require = createRequire(import.meta.url);
const kept = new Map<string, Buffer>();

/** A font file as TrueType, unpacked once per process. */
export function fontFile(family: string, weight: number, subset: string): Buffer {
  const name = `${family}-${subset}-${weight}-normal.woff`;
  let font = kept.get(name);
  if (!font) {
    const folder = dirname(require.resolve(`@fontsource/${family}/package.json`));
    kept.set(name, (font = unpackWoff(readFileSync(join(folder, 'files', name)))));
  }
  return font;
}

/** DejaVu Sans has the signs that Noto Sans leaves to five other fonts: ≥ ≤ → ✓ ☐ ⅓ ⁹ ₂ ‰ ℃ ℞ and more, plain and bold in one file each. */
export function signsFile(weight: 400 | 700): Buffer {
  const name = weight === 700 ? 'DejaVuSans-Bold.ttf' : 'DejaVuSans.ttf';
  let font = kept.get(name);
  if (!font) {
    const folder = dirname(require.resolve('dejavu-fonts-ttf/package.json'));
    kept.set(name, (font = readFileSync(join(folder, 'ttf', name))));
  }
  return font;
}

/** One face of a document: measures and cuts a line into runs that a font has the letters for. */
export interface Letters {
  runs(text: string): { font: PDFFont; text: string }[];
  width(text: string, size: number): number;
  /** Whether a letter was asked for that is shown as a question mark. */
  lacks(): boolean;
}

interface Font {
  letters: TrueType;
  font: PDFFont;
}

/** Letters beyond western Europe's, in font files of their own: opened for a paper that has such letters. */
const more: [subset: string, letters: RegExp][] = [
  ['latin-ext', /[\u0100-\u0130\u0132-\u0151\u0154-\u02ba\u1d00-\u1e9f\u1ef2-\u1eff\u20a0-\u20c0\u2113\u2c60-\u2c7f]/],
  ['vietnamese', /[\u1ea0-\u1ef1\u20ab]/],
  ['greek', /[\u0370-\u03ff]/],
  ['greek-ext', /[\u1f00-\u1fff]/],
  ['cyrillic', /[\u0400-\u045f\u0490\u0491\u04b0\u04b1\u2116]/],
  ['cyrillic-ext', /[\u0460-\u048f\u0492-\u04af\u04b2-\u052f\u1c80-\u1c8a\u2de0-\u2dff\ua640-\ua69f]/],
];
/** Numbers, punctuation, arrows, signs of mathematics, boxes and check marks that no file of Noto Sans above has. */
const signs =
  /[\u2010-\u2012\u2015-\u2017\u201b\u201f\u2021\u2023-\u2025\u2027\u2030\u2031\u2034-\u2038\u203b-\u2043\u2045-\u205e\u2070-\u209c\u2100-\u2115\u2117-\u2121\u2123-\u2125\u2127-\u2129\u212c-\u2211\u2213-\u23ff\u2460-\u2bff]/;
const handwritten = new Set(['latin', 'latin-ext', 'vietnamese']);

/** Font files for a face, in the order in which they are asked for a letter. */
function filesFor(face: Face, text: string): Buffer[] {
  const composed = text.normalize('NFC');
  const subsets = ['latin', ...more.filter(([, letters]) => letters.test(composed)).map(([subset]) => subset)];
  const weight = face === 'bold' ? 700 : 400;
  const printed = subsets.map((subset) => fontFile('noto-sans', weight, subset));
  if (signs.test(composed) || /[✅❌]/u.test(composed)) printed.push(signsFile(weight));
  if (face !== 'hand') return printed;
  const written = subsets.filter((subset) => handwritten.has(subset));
  return [...written.map((subset) => fontFile('dancing-script', 500, subset)), ...printed.slice(written.length)];
}

const opened = new WeakMap<PDFDocument, Map<Buffer, Promise<Font>>>();

/**
 * A face in this document, put in once, with the letters that `text` needs. A letter that no font has is shown without its accents, else
 * as a question mark.
 */
export async function lettersOf(pdf: PDFDocument, face: Face, text = ''): Promise<Letters> {
  let files = opened.get(pdf);
  if (!files) {
    pdf.registerFontkit(fontkit);
    opened.set(pdf, (files = new Map()));
  }
  const fonts: Font[] = [];
  for (const file of filesFor(face, text)) {
    let font = files.get(file);
    if (!font) files.set(file, (font = embed(pdf, file)));
    fonts.push(await font);
  }
  return lettersIn(fonts);
}

async function embed(pdf: PDFDocument, file: Buffer): Promise<Font> {
  return { letters: trueType(file), font: await pdf.embedFont(file, { subset: true }) };
}

interface Shown {
  letter: string;
  font: PDFFont;
  /** Of the em. */
  width: number;
}

function lettersIn(fonts: readonly Font[]): Letters {
  const known = new Map<string, Shown[]>();
  let isLacking = false;
  const inFont = (letter: string): Shown | undefined => {
    const code = letter.codePointAt(0) ?? 0;
    const by = fonts.find(({ letters }) => letters.has(code));
    return by && { letter, font: by.font, width: by.letters.widthOf(code) / by.letters.unitsPerEm };
  };
  const show = (letter: string) => {
    let shown = known.get(letter);
    if (!shown) {
      const own = /\p{Cc}/u.test(letter) ? undefined : inFont(letter);
      const instead = own ? '' : plainer(letter);
      isLacking ||= instead === '?';
      shown = own ? [own] : Array.from(instead).flatMap((plain) => inFont(plain) ?? []);
      known.set(letter, shown);
    }
    return shown;
  };
  return {
    runs(text) {
      const made: { font: PDFFont; text: string }[] = [];
      for (const one of text.normalize('NFC'))
        for (const { letter, font } of show(one)) {
          const last = made.at(-1);
          if (last?.font === font) last.text += letter;
          else made.push({ font, text: letter });
        }
      return made;
    },
    width(text, size) {
      let sum = 0;
      for (const one of text.normalize('NFC')) for (const { width } of show(one)) sum += width;
      return sum * size;
    },
    lacks: () => isLacking,
  };
}

/** A letter no font has, by those that are always there; what is never seen (a mark without a letter, a joiner) by nothing. */
function plainer(letter: string): string {
  if (/\s/u.test(letter)) return ' ';
  if (/[\p{M}\p{Cf}\p{Cc}]/u.test(letter)) return '';
  if (letter === '✅') return '✔';
  if (letter === '❌') return '✘';
  const bare = letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return /^[\x20-\x7e]+$/.test(bare) ? bare : '?';
}
