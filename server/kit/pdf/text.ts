import bidiFactory from 'bidi-js';
import LineBreaker from 'linebreak';
import { isIgnorable, type Face, type FontFile, type FontFinder } from './fonts.ts';

/** Consecutive characters of one font and one direction. In right-to-left text each word is a separate piece. */
export interface Piece {
  text: string;
  file: FontFile;
  /** Its embedding level (Unicode bidirectional algorithm): odd means right to left. */
  level: number;
  /** Its width at a font size of 1 point. */
  width: number;
  /** Its glyphs alone do not spell its text. */
  isReshaped: boolean;
}

export interface Line {
  /** In the order they are drawn, from left to right. */
  pieces: Piece[];
  /** The same pieces in the order they are read. */
  readingOrder: Piece[];
  /** Without trailing spaces. */
  width: number;
  isRightToLeft: boolean;
  /** The text in reading order, if the glyphs alone do not spell it (Arabic, Hebrew, Devanagari). */
  actualText?: string;
}

/** Returns the width of a text at a font size of 1 point. */
export type Measure = (file: FontFile, text: string) => number;

const bidi = bidiFactory();
const rightToLeft = /[\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Syriac}\p{scx=Thaana}\p{scx=Nko}\u200f\u202b\u202e\u2067]/u;
const basic = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u017f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac]*$/;
/** Directional marks, soft hyphens, and zero-width spaces: removed once line breaks and directions are determined. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks a text into lines no wider than `width` (in ems), and orders the pieces of each line as they are drawn. */
export function layOut(text: string, face: Face, width: number, fonts: FontFinder, measure: Measure): Line[] {
  const clean = toPrintable(text);
  if (clean === '') return [{ pieces: [], readingOrder: [], width: 0, isRightToLeft: false }];
  const direction = rightToLeft.test(clean) ? bidi.getEmbeddingLevels(clean) : undefined;
  const isRightToLeft = (direction?.paragraphs[0]?.level ?? 0) % 2 === 1;
  const toPieces = (start: number, end: number) => piecesOf(clean, start, end, direction?.levels, face, fonts, measure);

  const lines: Line[] = [];
  let pieces: Piece[] = [];
  let used = 0;
  let lineStart = 0;
  const endLine = (end: number) => {
    const source = clean.slice(lineStart, end).replaceAll(invisible, '');
    const readingOrder = direction ? pieces : joinPieces(pieces);
    lines.push({
      pieces: direction ? inVisualOrder(pieces) : readingOrder,
      readingOrder,
      width: used - trailingSpace(pieces),
      isRightToLeft,
      ...((direction || pieces.some(({ isReshaped }) => isReshaped)) && { actualText: source }),
    });
    pieces = [];
    used = 0;
    lineStart = end;
  };

  for (const [start, end] of segmentsOf(clean)) {
    const segment = toPieces(start, end);
    const wide = sum(segment);
    if (pieces.length > 0 && used + wide - trailingSpace(segment) > width) endLine(start);
    if (wide - trailingSpace(segment) <= width) {
      pieces.push(...segment);
      used += wide;
      continue;
    }
    // This word is wider than the line. Each cluster is measured only once, because a patient may type 10,000 letters without a space.
    for (const { index, segment: cluster } of graphemes.segment(clean.slice(start, end))) {
      const at = start + index;
      const part = toPieces(at, at + cluster.length);
      const partWidth = sum(part);
      if (used > 0 && used + partWidth - trailingSpace(part) > width) {
        pieces = toPieces(lineStart, at);
        used = sum(pieces);
        endLine(at);
      }
      used += partWidth;
    }
    pieces = toPieces(lineStart, end);
    used = sum(pieces);
  }
  endLine(clean.length);
  return lines;
}

/** Composes characters (NFC), turns each run of white space into one space (non-breaking if it was), and removes control characters. */
function toPrintable(text: string): string {
  if (basic.test(text)) return text.replaceAll(/ {2,}/g, ' ').trim();
  return text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\s\u0085]+/gu, (space) => (/^[\u00a0\u202f]+$/u.test(space) ? '\u00a0' : ' '))
    .replaceAll(/\p{Cc}/gu, '')
    .trim();
}

/** The segments between possible line breaks (Unicode line breaking: Chinese and Japanese may break between characters). */
function* segmentsOf(text: string): Iterable<[start: number, end: number]> {
  const breaker = new LineBreaker(text);
  let start = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    yield [start, next.position];
    start = next.position;
  }
  if (start < text.length) yield [start, text.length];
}

function piecesOf(
  text: string,
  start: number,
  end: number,
  levels: Uint8Array | undefined,
  face: Face,
  fonts: FontFinder,
  measure: Measure,
): Piece[] {
  const source = text.slice(start, end);
  if (!levels && basic.test(source) && face !== 'hand') {
    const file = fonts.main(face);
    return [measurePiece({ text: source, file, level: 0 }, measure)];
  }
  const pieces: UnmeasuredPiece[] = [];
  for (const { index, segment: cluster } of graphemes.segment(source)) {
    const level = levels?.[start + index] ?? 0;
    for (const { text: shown, file, isPlaceholder } of shownAs(cluster, face, level, fonts)) {
      const shownLevel = isPlaceholder && level % 2 === 1 ? level + 1 : level;
      const last = pieces.at(-1);
      if (last?.file === file && last.level === shownLevel && (shownLevel % 2 === 0 || isWord(last.text, shown)))
        last.text += shown;
      else pieces.push({ text: shown, file, level: shownLevel });
    }
  }
  return pieces.map((piece) => measurePiece(piece, measure));
}

type UnmeasuredPiece = Pick<Piece, 'text' | 'file' | 'level'>;

function measurePiece(piece: UnmeasuredPiece, measure: Measure): Piece {
  const width = measure(piece.file, piece.text);
  return { ...piece, width, isReshaped: piece.file.isReshaped(piece.text) };
}

interface Glyphs {
  text: string;
  file: FontFile;
  isPlaceholder?: boolean;
}

/** How a letter with its marks is printed. A character that no font has is printed as its code, such as [U+1F984]: nothing is lost. */
function shownAs(cluster: string, face: Face, level: number, fonts: FontFinder): Glyphs[] {
  const visible = cluster.replaceAll(invisible, '').replaceAll('\u00a0', ' ');
  if (visible === '') return [];
  const mirrored = level % 2 === 1 ? (bidi.getMirroredCharacter(visible) ?? visible) : visible;
  for (const form of [mirrored, mirrored.normalize('NFKC')]) {
    const file = fonts.find(face, form);
    if (file) return [{ text: withoutMissing(form, file), file }];
  }
  const letters = Array.from(mirrored);
  if (letters.length > 1) return letters.flatMap((letter) => shownAs(letter, face, level, fonts));
  const codePoint = mirrored.codePointAt(0) ?? 0;
  if (isIgnorable(codePoint)) return [];
  const text = `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]`;
  return [{ text, file: fonts.main(face), isPlaceholder: true }];
}

/** Removes joiners and variation selectors that the font lacks, because it would draw a box for each. */
function withoutMissing(cluster: string, file: FontFile): string {
  return Array.from(cluster)
    .filter((letter) => {
      const codePoint = letter.codePointAt(0) ?? 0;
      return !isIgnorable(codePoint) || file.has(codePoint);
    })
    .join('');
}

/** Whether two parts of right-to-left text form one piece. Only letters do, because the shaper does not reverse anything else. */
const isWord = (before: string, after: string) => letter.test(before) && letter.test(after);
const letter = /^[\p{L}\p{M}\u200c\u200d]+$/u;

/** Rule L2 of the Unicode bidirectional algorithm, applied to pieces. Trailing spaces come last, because they are invisible. */
function inVisualOrder(pieces: readonly Piece[]): Piece[] {
  const end = pieces.findLastIndex(({ text }) => text.trim() !== '') + 1;
  const ordered = pieces.slice(0, end);
  for (let level = Math.max(0, ...ordered.map((piece) => piece.level)); level > 0; level--)
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && (ordered[to]?.level ?? 0) >= level) to++;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  return [...ordered, ...pieces.slice(end)];
}

/** Joins neighboring pieces of the same font, so that one command draws them. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  const longer: Piece[] = [];
  for (const piece of pieces) {
    const last = longer.at(-1);
    if (last?.file === piece.file && last.isReshaped === piece.isReshaped) {
      last.text += piece.text;
      last.width += piece.width;
    } else longer.push({ ...piece });
  }
  return longer;
}

const sum = (pieces: readonly Piece[]) => pieces.reduce((total, { width }) => total + width, 0);

function trailingSpace(pieces: readonly Piece[]): number {
  const last = pieces.at(-1);
  if (!last?.text.endsWith(' ')) return 0;
  return spaceWidth(last.file) * (last.text.length - last.text.trimEnd().length);
}

const spaces = new WeakMap<FontFile, number>();
function spaceWidth(file: FontFile): number {
  let width = spaces.get(file);
  if (width === undefined)
    spaces.set(file, (width = file.font.glyphForCodePoint(0x20).advanceWidth / file.font.unitsPerEm));
  return width;
}
