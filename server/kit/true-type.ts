import { inflateSync } from 'node:zlib';
import type { PDFDocument } from 'pdf-lib';

type Fontkit = Parameters<PDFDocument['registerFontkit']>[0];
type Font = ReturnType<Fontkit['create']>;

interface Glyph {
  id: number;
  codePoints: number[];
  advanceWidth: number;
}

/** A TrueType font as pdf-lib asks about one. Letters stand one by one: no ligatures, no kerning, so text copied out of a paper is what was put in. */
export interface TrueType {
  unitsPerEm: number;
  has(codePoint: number): boolean;
  /** In units of the em; 0 for a letter that is not there. */
  widthOf(codePoint: number): number;
}

/** What a font in a PDF needs besides its outlines; the rest of the file is for layout engines. */
const copied = ['cvt ', 'fpgm', 'prep'];
const read = new WeakMap<Uint8Array, TrueType & Font>();

/** A font file's meaning, worked out once for as long as these bytes are kept. */
export function trueType(bytes: Uint8Array): TrueType {
  return fontOf(bytes);
}

/** Stands in for fontkit, which shapes every line anew: twenty times the cost of all the rest of a paper. */
export const fontkit: Fontkit = { create: (bytes) => fontOf(bytes) };

function fontOf(bytes: Uint8Array): TrueType & Font {
  let font = read.get(bytes);
  if (!font) read.set(bytes, (font = open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))));
  return font;
}

function open(file: Buffer): TrueType & Font {
  const tables = tablesOf(file);
  const table = (tag: string) => tables.get(tag) ?? Buffer.alloc(128);
  const [head, hhea, hmtx, post, os2] = ['head', 'hhea', 'hmtx', 'post', 'OS/2'].map(table) as FiveTables;
  const measured = hhea.readUInt16BE(34);
  const widthOfGlyph = (id: number) => hmtx.readUInt16BE(Math.min(id, measured - 1) * 4);
  const glyphs = new Map<number, Glyph>();
  const glyphOf = new Map<number, Glyph>();
  for (const [codePoint, id] of lettersIn(table('cmap'))) {
    const glyph = glyphs.get(id) ?? { id, codePoints: [codePoint], advanceWidth: widthOfGlyph(id) };
    glyphs.set(id, glyph);
    glyphOf.set(codePoint, glyph);
  }
  const missing: Glyph = { id: 0, codePoints: [], advanceWidth: widthOfGlyph(0) };
  const glyphForCodePoint = (codePoint: number) => glyphOf.get(codePoint) ?? missing;
  const [minX, minY, maxX, maxY] = [36, 38, 40, 42].map((at) => head.readInt16BE(at));
  const font = {
    postscriptName: nameIn(table('name')),
    unitsPerEm: head.readUInt16BE(18),
    ascent: hhea.readInt16BE(4),
    descent: hhea.readInt16BE(6),
    italicAngle: post.readInt32BE(4) / 65_536,
    // Fonts of 2016 and before have a shorter OS/2 table.
    xHeight: os2.length >= 90 ? os2.readInt16BE(86) : 0,
    capHeight: os2.length >= 90 ? os2.readInt16BE(88) : hhea.readInt16BE(4),
    bbox: { minX, minY, maxX, maxY },
    'OS/2': { sFamilyClass: os2.readInt16BE(30) },
    head: { macStyle: { italic: (head.readUInt16BE(44) & 2) !== 0 } },
    post: { isFixedPitch: post.readUInt32BE(12) !== 0 },
    cff: null,
    characterSet: [...glyphOf.keys()],
    glyphForCodePoint,
    layout: (text: string) => ({ glyphs: Array.from(text, (letter) => glyphForCodePoint(letter.codePointAt(0) ?? 0)) }),
    createSubset: () => subsetOf(tables),
    has: (codePoint: number) => glyphOf.has(codePoint),
    widthOf: (codePoint: number) => glyphOf.get(codePoint)?.advanceWidth ?? 0,
  };
  return font as unknown as TrueType & Font;
}

type FiveTables = [Buffer, Buffer, Buffer, Buffer, Buffer];

function tablesOf(file: Buffer): Map<string, Buffer> {
  const count = file.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, i) => {
      const at = 12 + i * 16;
      const offset = file.readUInt32BE(at + 8);
      return [file.toString('latin1', at, at + 4), file.subarray(offset, offset + file.readUInt32BE(at + 12))];
    }),
  );
}

/** Code point and glyph of every letter the font has (cmap of format 4, and of 12 where letters lie beyond 65,535). */
function* lettersIn(cmap: Buffer): Iterable<[codePoint: number, glyph: number]> {
  const offsets = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) => cmap.readUInt32BE(8 + i * 8));
  const byFormat = new Map(offsets.map((offset) => [cmap.readUInt16BE(offset), cmap.subarray(offset)]));
  const wide = byFormat.get(12);
  if (wide) {
    for (let i = 0; i < wide.readUInt32BE(12); i++) {
      const [first, last, glyph] = [16, 20, 24].map((at) => wide.readUInt32BE(at + i * 12)) as [number, number, number];
      for (let code = first; code <= last; code++) yield [code, glyph + code - first];
    }
    return;
  }
  const plain = byFormat.get(4);
  if (!plain) return;
  const size = plain.readUInt16BE(6);
  for (let i = 0; i < size; i += 2) {
    const last = plain.readUInt16BE(14 + i);
    const first = plain.readUInt16BE(16 + size + i);
    const delta = plain.readUInt16BE(16 + size * 2 + i);
    const rangeAt = 16 + size * 3 + i;
    const range = plain.readUInt16BE(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code++) {
      const listed = range === 0 ? code : plain.readUInt16BE(rangeAt + range + (code - first) * 2);
      const glyph = range !== 0 && listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) yield [code, glyph];
    }
  }
}

/** The font's PostScript name (name 6), kept in two bytes a letter. */
function nameIn(name: Buffer): string | null {
  const texts = name.readUInt16BE(4);
  for (let i = 0; i < name.readUInt16BE(2); i++) {
    const at = 6 + i * 12;
    if (name.readUInt16BE(at) !== 3 || name.readUInt16BE(at + 6) !== 6) continue;
    const from = texts + name.readUInt16BE(at + 10);
    return Buffer.from(name.subarray(from, from + name.readUInt16BE(at + 8)))
      .swap16()
      .toString('utf16le');
  }
  return null;
}

/** The glyphs a paper uses, numbered anew in the order they came, as a font file of its own. */
function subsetOf(tables: ReadonlyMap<string, Buffer>) {
  const ids = [0];
  const numberOf = new Map([[0, 0]]);
  const include = (id: number) => {
    let number = numberOf.get(id);
    if (number === undefined) {
      numberOf.set(id, (number = ids.length));
      ids.push(id);
    }
    return number;
  };
  return {
    includeGlyph: ({ id }: Glyph) => include(id),
    encodeStream() {
      const bytes = encode(tables, ids, include);
      const stream = {
        on(event: string, heard: (data: Uint8Array) => unknown) {
          if (event === 'data' || event === 'end') heard(bytes);
          return stream;
        },
      };
      return stream;
    },
  };
}

function encode(tables: ReadonlyMap<string, Buffer>, ids: number[], include: (id: number) => number): Buffer {
  const copyOf = (tag: string) => Buffer.from(tables.get(tag) ?? Buffer.alloc(0));
  const [head, hhea, maxp] = [copyOf('head'), copyOf('hhea'), copyOf('maxp')];
  const outlineOf = outlines(tables, head.readInt16BE(50) === 1);
  const outlined: Buffer[] = [];
  // A letter made of others brings them: the list grows while it is walked.
  for (let i = 0; i < ids.length; i++) outlined.push(renumbered(outlineOf(ids[i] ?? 0), include));

  const loca = Buffer.alloc((ids.length + 1) * 4);
  let end = 0;
  for (const [i, outline] of outlined.entries()) loca.writeUInt32BE((end += outline.length), (i + 1) * 4);
  const widths = tables.get('hmtx') ?? Buffer.alloc(4);
  const measured = hhea.readUInt16BE(34);
  const hmtx = Buffer.alloc(ids.length * 4);
  for (const [i, id] of ids.entries()) {
    hmtx.writeUInt16BE(widths.readUInt16BE(Math.min(id, measured - 1) * 4), i * 4);
    hmtx.writeInt16BE(widths.readInt16BE(id < measured ? id * 4 + 2 : measured * 4 + (id - measured) * 2), i * 4 + 2);
  }
  head.writeInt16BE(1, 50);
  hhea.writeUInt16BE(ids.length, 34);
  maxp.writeUInt16BE(ids.length, 4);
  const kept = copied.flatMap((tag): [string, Buffer][] => (tables.has(tag) ? [[tag, copyOf(tag)]] : []));
  return fileOf([
    ...kept,
    ['glyf', Buffer.concat(outlined)],
    ['head', head],
    ['hhea', hhea],
    ['hmtx', hmtx],
    ['loca', loca],
    ['maxp', maxp],
  ]);
}

function outlines(tables: ReadonlyMap<string, Buffer>, isLong: boolean): (id: number) => Buffer {
  const glyf = tables.get('glyf') ?? Buffer.alloc(0);
  const loca = tables.get('loca') ?? Buffer.alloc(0);
  const at = (id: number) => (isLong ? loca.readUInt32BE(id * 4) : loca.readUInt16BE(id * 2) * 2);
  return (id) => glyf.subarray(at(id), at(id + 1));
}

const [wordsFollow, hasScale, moreFollow, hasTwoScales, hasMatrix] = [0x1, 0x8, 0x20, 0x40, 0x80];

/** An outline as it is; one that is put together from others (é from e and ´) names them by their new numbers. */
function renumbered(outline: Buffer, include: (id: number) => number): Buffer {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return outline;
  const made = Buffer.from(outline);
  for (let at = 10; ;) {
    const flags = made.readUInt16BE(at);
    made.writeUInt16BE(include(made.readUInt16BE(at + 2)), at + 2);
    at += flags & wordsFollow ? 8 : 6;
    at += flags & hasScale ? 2 : flags & hasTwoScales ? 4 : flags & hasMatrix ? 8 : 0;
    if (!(flags & moreFollow)) return made;
  }
}

/** WOFF to the TrueType it holds (W3C WOFF 1.0). */
export function unpackWoff(woff: Buffer): Buffer {
  return fileOf(
    Array.from({ length: woff.readUInt16BE(12) }, (_, i) => {
      const at = 44 + i * 20;
      const [offset, packed, size] = [4, 8, 12].map((from) => woff.readUInt32BE(at + from)) as [number, number, number];
      const data = woff.subarray(offset, offset + packed);
      return [woff.toString('latin1', at, at + 4), packed < size ? inflateSync(data) : data];
    }),
  );
}

/** A TrueType file of these tables, in the order of their names. Sums are left out: nobody who reads a PDF looks at them. */
function fileOf(tables: [tag: string, bytes: Buffer][]): Buffer {
  const count = tables.length;
  const directory = Buffer.alloc(12 + count * 16);
  const steps = Math.floor(Math.log2(count));
  directory.writeUInt32BE(0x0001_0000, 0);
  for (const [i, value] of [count, 2 ** steps * 16, steps, (count - 2 ** steps) * 16].entries())
    directory.writeUInt16BE(value, 4 + i * 2);
  let offset = directory.length;
  const padded = tables.map(([tag, bytes], i) => {
    const at = 12 + i * 16;
    directory.write(tag, at, 'latin1');
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(bytes.length, at + 12);
    const whole = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
    offset += whole.length;
    return whole;
  });
  return Buffer.concat([directory, ...padded]);
}
