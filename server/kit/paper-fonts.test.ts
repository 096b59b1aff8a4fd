import realFontkit from '@pdf-lib/fontkit';
import { PDFDocument } from 'pdf-lib';
import { expect, test } from 'vitest';
import { fontFile, lettersOf } from './paper-fonts.ts';
import { fontkit } from './true-type.ts';

const western = 'Aé ñÑü¿¡“”—€ßøÅ';

test('a paper carries the outlines and widths that the font has for its letters', () => {
  for (const [family, weight, subset, text] of [
    ['noto-sans', 400, 'latin', western],
    ['noto-sans', 700, 'latin', western],
    ['noto-sans', 400, 'latin-ext', 'łŁőşČžığ'],
    ['noto-sans', 400, 'vietnamese', 'ễạợ'],
    ['noto-sans', 700, 'cyrillic', 'Жюѓ'],
    ['dancing-script', 500, 'latin', 'José'],
  ] as const) {
    const file = fontFile(family, weight, subset);
    const whole = realFontkit.create(file);
    const ours = fontkit.create(file);
    const cut = ours.createSubset();
    const glyphs = ours.layout(text).glyphs;
    const numbers = glyphs.map((glyph) => cut.includeGlyph(glyph));
    let bytes: Uint8Array = new Uint8Array();
    cut.encodeStream().on('data', (data) => (bytes = data));
    const part = realFontkit.create(bytes);
    for (const [i, letter] of Array.from(text).entries()) {
      const expected = whole.glyphForCodePoint(letter.codePointAt(0) ?? 0);
      const carried = part.getGlyph(numbers[i] ?? 0);
      expect(carried.path.toSVG(), letter).toBe(expected.path.toSVG());
      expect([carried.advanceWidth, glyphs[i]?.advanceWidth], letter).toEqual(Array(2).fill(expected.advanceWidth));
    }
    expect([ours.postscriptName, ours.ascent, ours.descent, ours.bbox.maxY, ours.capHeight]).toEqual([
      whole.postscriptName,
      whole.ascent,
      whole.descent,
      whole.bbox.maxY,
      whole.capHeight,
    ]);
  }
});

test('names of Europe and Vietnam are written as they are, others as question marks, and that is told', async () => {
  const shownAs = async (text: string, face: 'plain' | 'hand' = 'plain') => {
    const letters = await lettersOf(await PDFDocument.create(), face, text);
    const shown = letters
      .runs(text)
      .map((run) => run.text)
      .join('');
    expect(letters.width(text, 10)).toBeGreaterThan(0);
    return [shown, letters.lacks()];
  };
  for (const name of ['José Muñoz', 'Łukasz Žižek', 'Nguyễn Thị Hợp', 'Елена Жукова', 'Ελένη Ἀθηνᾶ'])
    for (const face of ['plain', 'hand'] as const) expect(await shownAs(name, face)).toEqual([name, false]);
  expect(await shownAs('Jose\u0301\u0000\u200d')).toEqual(['José', false]);
  expect(await shownAs('ﬁve ﬂags')).toEqual(['five flags', false]);
  expect(await shownAs('李 Wei')).toEqual(['? Wei', true]);
});
