import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import fontkit from '@pdf-lib/fontkit';
import type { PDFDocument, PDFFont } from 'pdf-lib';

/** Faces of our papers: text, bold text, and handwriting for typed signatures. */
export type Face = 'plain' | 'bold' | 'hand';

const require = createRequire(import.meta.url);
const kept = new Map<string, Buffer>();

/** A font file, unpacked once per process: the PDF library's own inflating takes a third of a second. */
function read(family: string, file: string): Buffer {
  let font = kept.get(file);
  if (!font) {
    const folder = dirname(require.resolve(`@fontsource/${family}/package.json`));
    kept.set(file, (font = unpack(readFileSync(join(folder, 'files', file)))));
  }
  return font;
}

/** WOFF to the TrueType it holds (W3C WOFF 1.0): the same tables, inflated, behind a plain directory. */
function unpack(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, i) => {
    const entry = 44 + i * 20;
    const [offset, packed, size] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [number, number, number];
    const data = woff.subarray(offset, offset + packed);
    return { entry, size, data: packed < size ? inflateSync(data) : data };
  });
  const header = Buffer.alloc(12 + count * 16);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  let offset = header.length;
  const padded = tables.map(({ entry, size, data }, i) => {
    const at = 12 + i * 16;
    woff.copy(header, at, entry, entry + 4);
    woff.copy(header, at + 4, entry + 16, entry + 20);
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(size, at + 12);
    const whole = Buffer.concat([data, Buffer.alloc((4 - (size % 4)) % 4)]);
    offset += whole.length;
    return whole;
  });
  return Buffer.concat([header, ...padded]);
}

/** Each face in two files: western letters, and those of the rest of Europe. */
const files: Record<Face, [family: string, weight: number]> = {
  plain: ['noto-sans', 400],
  bold: ['noto-sans', 700],
  hand: ['dancing-script', 500],
};

/** One face of a document: measures and cuts a line into runs that a font has the letters for. */
export interface Letters {
  runs(text: string): { font: PDFFont; text: string }[];
  width(text: string, size: number): number;
}

/** Letters of Europe's other languages, in a font file of their own. */
const moreLetters = /[\u0100-\u0130\u0132-\u0151\u0154-\u02ba\u1d00-\u1eff\u2c60-\u2c7f]/;
const opened = new WeakMap<PDFDocument, Map<string, Promise<Letters>>>();

/**
 * A face in this document, put in once, with the letters that `text` needs (opening a font takes a few hundredths of a second). A
 * letter that no font has is shown without its accents, else as a question mark.
 */
export function lettersOf(pdf: PDFDocument, face: Face, text?: string): Promise<Letters> {
  const subsets = text === undefined || moreLetters.test(text) ? ['latin', 'latin-ext'] : ['latin'];
  const key = `${face} ${subsets.length}`;
  let faces = opened.get(pdf);
  if (!faces) {
    pdf.registerFontkit(fontkit);
    opened.set(pdf, (faces = new Map()));
  }
  let letters = faces.get(key);
  if (!letters) faces.set(key, (letters = open(pdf, face, subsets)));
  return letters;
}

const widths = new Map<string, number>();

async function open(pdf: PDFDocument, face: Face, subsets: string[]): Promise<Letters> {
  const [family, weight] = files[face];
  const fonts = await Promise.all(
    subsets.map(async (subset) => {
      const font = await pdf.embedFont(read(family, `${family}-${subset}-${weight}-normal.woff`), { subset: true });
      return { font, has: new Set(font.getCharacterSet()) };
    }),
  );
  const fontOf = (letter: string) => fonts.find(({ has }) => has.has(letter.codePointAt(0) ?? 0))?.font;
  const runs = (text: string) => {
    const made: { font: PDFFont; text: string }[] = [];
    for (const letter of text) {
      const shown = fontOf(letter) ? letter : plainer(letter);
      const font = fontOf(shown) ?? fonts[0]?.font;
      const last = made.at(-1);
      if (last && last.font === font) last.text += shown;
      else if (font) made.push({ font, text: shown });
    }
    return made;
  };
  const width = (text: string, size: number) => {
    let sum = 0;
    for (const letter of text) sum += widthOfLetter(letter);
    return (sum * size) / 1_000;
  };
  // Letter by letter, kept as long as the process: laying out a word takes a hundred times as long, and kerning would save a point a line.
  const widthOfLetter = (letter: string) => {
    let wide = widths.get(`${face} ${subsets.length} ${letter}`);
    if (wide === undefined) {
      const [run] = runs(letter);
      wide = run ? run.font.widthOfTextAtSize(run.text, 1_000) : 0;
      if (widths.size < 5_000) widths.set(`${face} ${subsets.length} ${letter}`, wide);
    }
    return wide;
  };
  return { runs, width };
}

function plainer(letter: string): string {
  if (/\s/u.test(letter)) return ' ';
  const bare = letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return /^[\x20-\x7e]+$/.test(bare) ? bare : '?';
}
