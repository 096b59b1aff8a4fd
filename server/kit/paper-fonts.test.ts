import realFontkit from '@pdf-lib/fontkit';
import { PDFDocument } from 'pdf-lib';
import { expect, test } from 'vitest';
import { fontFile, lettersOf, signsFile } from './paper-fonts.ts';
import { fontkit } from './true-type.ts';

const western = 'Aé ñÑü¿¡“”—€ßøÅ';

test('a paper carries the outlines and widths that the font has for its letters', () => {
  for (const [file, text] of [
    [fontFile('noto-sans', 400, 'latin'), western],
    [fontFile('noto-sans', 700, 'latin'), western],
    [fontFile('noto-sans', 400, 'latin-ext'), 'łŁőşČžığ'],
    [fontFile('noto-sans', 400, 'vietnamese'), 'ễạợ'],
    [fontFile('noto-sans', 700, 'cyrillic'), 'Жюѓ'],
    [fontFile('dancing-script', 500, 'latin'), 'José'],
    [signsFile(400), '≥≤→✓½⁹₂☐'],
    [signsFile(700), '≥≤→✓½⁹₂☐'],
  ] as const) {
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
      // The signs' font does not say.
      whole.capHeight ?? whole.ascent,
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

/** What medical records are written with, besides letters: thresholds, units, amounts, powers, marks. */
const medical =
  '≥ ≤ < > ≠ ≈ ± × ÷ − ° µ μ % ‰ ½ ¼ ¾ ⅓ ⅔ ⅛ ⅜ ⅝ ⅞ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹ ⁰ ⁻ ⁺ ₀ ₁ ₂ ₃ ₄ → ← ↑ ↓ ↔ ⇒ € £ ¥ ¢ – — ‑ • · … ‹ › « » “ ” ‘ ’ „ † ‡ § ¶ ™ ® © ' +
  '✓ ✔ ✗ ✘ ☐ ☑ ☒ ■ □ ● ○ ▲ ▼ ◆ ★ ☆ √ ∞ ∆ Δ ∑ Σ Ω π α β γ ♀ ♂ ⚠ ☎ ♥ ① ② ③ ℃ ℉ ℞ ℓ № ′ ″ ⁄ ª º ¿ ¡';

test.each(['plain', 'bold', 'hand'] as const)(
  'every sign that medical records use is printed as it is (%s)',
  async (face) => {
    const letters = await lettersOf(await PDFDocument.create(), face, medical);
    const shown = letters.runs(medical).map(({ text }) => text);
    expect(shown.join('')).toBe(medical);
    expect(letters.lacks()).toBe(false);
  },
);

test('a paper without such signs does not carry their font', async () => {
  const pdf = await PDFDocument.create();
  await lettersOf(pdf, 'plain', 'José’s “temperature”: 38 °C – 2½ days, 5 €');
  expect(pdf.context.enumerateIndirectObjects()).toHaveLength((await withLetters('plain text')).length);
});

async function withLetters(text: string) {
  const pdf = await PDFDocument.create();
  await lettersOf(pdf, 'plain', text);
  return pdf.context.enumerateIndirectObjects();
}
