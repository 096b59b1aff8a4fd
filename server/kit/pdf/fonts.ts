import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font, type Glyph } from 'fontkit';

/** `hand` looks handwritten, for typed signatures. */
export type Face = 'plain' | 'bold' | 'hand';

export interface FontFile {
  /** Unique. PDFKit caches fonts by it. */
  key: string;
  font: Font;
  has(codePoint: number): boolean;
  /** Whether shaping this text changes its characters or their order, so that the glyphs alone do not spell the text. */
  isReshaped(text: string): boolean;
}

interface Family {
  /** The font file of each weight: its npm package and the path inside it. */
  regular: [packageName: string, path: string];
  bold?: [packageName: string, path: string];
  /** The family is tried for these characters only, so a document without them never opens its files. */
  characters: RegExp;
}

const noto = (name: string, file: string, characters: RegExp): Family => ({
  regular: [`@expo-google-fonts/noto-sans${name}`, `400Regular/NotoSans${file}_400Regular.ttf`],
  bold: [`@expo-google-fonts/noto-sans${name}`, `700Bold/NotoSans${file}_700Bold.ttf`],
  characters,
});

const anything = /[^]/u;
const eastAsian =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u33ff\uff00-\uffef]/u;

/** Covers Latin, Greek, Cyrillic, and Devanagari. */
const main = noto('', '', anything);
const rightToLeft = [noto('-arabic', 'Arabic', /\p{scx=Arabic}/u), noto('-hebrew', 'Hebrew', /\p{scx=Hebrew}/u)];
/** Math, arrows, boxes, and check marks. */
const symbols: Family = {
  regular: ['dejavu-fonts-ttf', 'ttf/DejaVuSans.ttf'],
  bold: ['dejavu-fonts-ttf', 'ttf/DejaVuSans-Bold.ttf'],
  characters: anything,
};
const handwriting: Family = {
  regular: ['@expo-google-fonts/dancing-script', '500Medium/DancingScript_500Medium.ttf'],
  characters: /[\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]/u,
};
const emoji: Family = {
  regular: ['@expo-google-fonts/noto-emoji', '400Regular/NotoEmoji_400Regular.ttf'],
  bold: ['@expo-google-fonts/noto-emoji', '700Bold/NotoEmoji_700Bold.ttf'],
  characters: /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/u,
};
const chinese = noto('-sc', 'SC', eastAsian);
const japanese = noto('-jp', 'JP', eastAsian);
const korean = noto('-kr', 'KR', eastAsian);

/** Chinese, Japanese, and Korean share characters but draw them differently. Kana means Japanese, Hangul means Korean. */
function eastAsianFamilies(documentText: string): Family[] {
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(documentText)) return [japanese, chinese, korean];
  if (/\p{sc=Hangul}/u.test(documentText)) return [korean, chinese, japanese];
  return [chinese, japanese, korean];
}

const require = createRequire(import.meta.url);
const openFonts = new Map<string, FontFile>();

/** Opens each font once per process, because a Chinese font is 10 MB. */
function openFont([packageName, path]: [string, string]): FontFile {
  const key = `${packageName}/${path}`;
  let file = openFonts.get(key);
  if (!file) {
    const folder = dirname(require.resolve(`${packageName}/package.json`));
    const font = create(readFileSync(join(folder, path))) as Font;
    openFonts.set(key, (file = { key, has: (code) => font.hasGlyphForCodePoint(code), ...withOwnCharacters(font) }));
  }
  return file;
}

/** A font's glyph ids end at 65,535. Ids from here on identify a variant: a glyph together with the characters it shows. */
const firstVariant = 65_536;

interface Variant {
  id: number;
  glyph: Glyph;
  codePoints: number[];
  advanceWidth: number;
}

/**
 * Makes text copied from the PDF have the right letters. A PDF reader copies the characters that the PDF lists for each glyph, but one
 * glyph can show different characters: many Arabic letters share a shape and differ only by dots, which are separate glyphs, and í shares
 * its stem with ị. PDFKit lists only the characters that a glyph showed first. This wrapper gives each pair of glyph and characters an id
 * of its own in the PDF. Test: document.test.ts.
 */
function withOwnCharacters(font: Font): Pick<FontFile, 'font' | 'isReshaped'> {
  const variants: Variant[] = [];
  const byKey = new Map<string, Variant>();
  const reshaped = new Set<string>();
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []) => {
    const key = `${id} ${codePoints.join(' ')}`;
    let variant = byKey.get(key);
    if (!variant) {
      const glyph = Object.create(getGlyph(id), { codePoints: { value: codePoints } }) as Glyph;
      variant = {
        id: firstVariant + variants.length,
        glyph,
        codePoints: [...codePoints],
        advanceWidth: glyph.advanceWidth,
      };
      byKey.set(key, variant);
      variants.push(variant);
      variantIds.set(glyph, variant);
    }
    return variant.glyph;
  };
  const own = Object.create(font) as Font;
  own.layout = (text, ...rest) => {
    const run = font.layout(text, ...rest);
    const glyphs = run.glyphs.map((glyph) => variantIds.get(glyph) ?? glyph);
    if (!spells(glyphs, text, run.direction)) {
      if (reshaped.size >= rememberedWords) reshaped.clear();
      reshaped.add(text);
    }
    return { glyphs, positions: run.positions, advanceWidth: run.advanceWidth } as unknown as typeof run;
  };
  own.createSubset = () => {
    const subset = font.createSubset() as unknown as GlyphSubset;
    const includeGlyph = subset.includeGlyph.bind(subset);
    const numbers = new Map<number, number>();
    subset.includeGlyph = (glyph) => {
      const variant = variants[glyph - firstVariant];
      if (!variant) return includeGlyph(glyph);
      let number = numbers.get(variant.id);
      if (number === undefined) numbers.set(variant.id, (number = subset.glyphs.push(variant.glyph.id) - 1));
      return number;
    };
    return subset as never;
  };
  return { font: own, isReshaped: (text) => reshaped.size > 0 && wordsOf(text).some((word) => reshaped.has(word)) };
}
/** fontkit's types declare this differently. */
interface GlyphSubset {
  glyphs: number[];
  includeGlyph(glyph: number): number;
}
const variantIds = new WeakMap<Glyph, Variant>();
const rememberedWords = 20_000;
/** PDFKit shapes text word by word, each word with the space after it. */
const wordsOf = (text: string) => text.match(/[^ ]* |[^ ]+$/g) ?? [];

function spells(glyphs: readonly { codePoints: number[] }[], text: string, direction: string): boolean {
  const inOrder = direction === 'rtl' ? glyphs.toReversed() : glyphs;
  return String.fromCodePoint(...inOrder.flatMap(({ codePoints }) => codePoints)) === text;
}

/** Finds fonts for the characters of one document. */
export interface FontFinder {
  /** The first font that has every character of the cluster (a letter with its marks). Undefined if no font has them all. */
  find(face: Face, cluster: string): FontFile | undefined;
  /** The font that most text uses. */
  main(face: Face): FontFile;
}

export function createFontFinder(documentText: string): FontFinder {
  const printed = [main, ...rightToLeft, ...eastAsianFamilies(documentText), symbols, emoji];
  const families: Record<Face, Family[]> = { plain: printed, bold: printed, hand: [handwriting, ...printed] };
  const found = new Map<string, FontFile | undefined>();
  const open = (family: Family, face: Face) =>
    openFont(face === 'bold' ? (family.bold ?? family.regular) : family.regular);

  const search = (face: Face, cluster: string) => {
    const codePoints = Array.from(cluster, (letter) => letter.codePointAt(0) ?? 0);
    const needed = codePoints.filter((codePoint) => !isIgnorable(codePoint));
    for (const family of families[face]) {
      if (!family.characters.test(cluster)) continue;
      const file = open(family, face);
      if (needed.every((codePoint) => file.has(codePoint))) return file;
    }
    return undefined;
  };
  return {
    main: (face) => open(main, face),
    find(face, cluster) {
      const key = `${face} ${cluster}`;
      if (!found.has(key)) found.set(key, search(face, cluster));
      return found.get(key);
    },
  };
}

/** Joiners and variation selectors. Text without them reads the same, so a font need not have them. */
export function isIgnorable(codePoint: number): boolean {
  return codePoint > 0xac && /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(codePoint));
}
