import { PDFDocument } from 'pdf-lib';
import PDFKit from 'pdfkit';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { checkAccessibility, type StructureElement } from '#testing/fixtures/pdf-accessibility.ts';
import { pdfTexts } from '#testing/fixtures/pdf-texts.ts';
import { hasPoppler, pdfToText, structureText } from '#testing/fixtures/poppler.ts';
import { createPdf, type PdfInfo, type PdfWriter } from './document.ts';

const id = '019f1111-1111-7111-8111-111111111111';
const date = new Date('2026-03-02T15:00:00Z');

const textsAboveFooter = async (pdf: Buffer) => (await pdfTexts(pdf)).slice(0, -2);

function make(write: (pdf: PdfWriter) => void, options: Partial<PdfInfo> & { left?: string } = {}): Promise<Buffer> {
  const { left = 'Footer', ...info } = options;
  const pdf = createPdf({ title: 'A test', product: 'Anteroom', language: 'en', date, ...info });
  write(pdf);
  return pdf.finish({ left, page: (n, of) => `Page ${n} of ${of}` });
}

/** Every piece of text with the box it takes; `y` counts from the foot of the page. */
async function drawnBy(write: (pdf: PdfWriter) => void, left?: string) {
  const drawn = vi.spyOn(PDFKit.prototype, 'text');
  const boxes: { text: string; left: number; right: number; y: number }[] = [];
  drawn.mockImplementation(function (this: PDFKit.PDFDocument, text: string, x?: number | object, y?: number) {
    const start = Number(x);
    boxes.push({ text, left: start, right: start + this.widthOfString(text.trimEnd()), y: 792 - Number(y) });
    return this;
  } as never);
  await make(write, { left });
  drawn.mockRestore();
  return boxes;
}

test.each([
  ['short', 'Health History', 1],
  ['long', 'Health History and Family History for New Patients, with Consent to Treatment of Minors', 2],
  ['endless', 'A form with a name that somebody pasted from somewhere else, all of it. '.repeat(12), 3],
  ['endless without a space', 'Fragebogen'.repeat(60), 3],
])('a %s form name in the footer does not overlap the page number', async (_, name, lines) => {
  const boxes = await drawnBy((pdf) => pdf.newPage(), `Maple Street Pediatrics · ${name} · ${id}`);
  const number = boxes.find(({ text }) => text === 'Page 1 of 1');
  const footer = boxes.filter((box) => box !== number);
  for (const { right, y } of footer) {
    expect(right).toBeLessThan((number?.left ?? 0) - 5);
    expect(y).toBeLessThan(64); // below the last line of the page's text
  }
  expect(footer.map(({ text }) => text).join(' ')).toContain(id);
  expect(new Set(footer.map(({ y }) => y)).size).toBe(lines);
});

test.each([
  ['Latin', 'Wi'],
  ['Chinese', '患者'],
  ['Arabic', 'سلام'],
])('10,000 letters without a space (%s) are cut into lines that fit the page', async (_, word) => {
  const text = word.repeat(10_000 / word.length);
  const boxes = await drawnBy((pdf) => pdf.paragraph(text), ' ');
  const lines = boxes.filter((box) => !/Page/.test(box.text));
  expect(
    lines
      .map((box) => box.text)
      .join('')
      .replaceAll(/\s/g, ''),
  ).toBe(text);
  expect(Math.max(...lines.map(({ right }) => right))).toBeLessThanOrEqual(612 - 64 + 0.1);
  expect(Math.min(...lines.map(({ left }) => left))).toBeGreaterThanOrEqual(64 - 0.1);
});

/** What patients write, by script. */
const scripts: Record<string, string> = {
  Latin: 'José Muñoz, Łukasz Žižek, Ærøskøbing, İstanbul, Þórður, office, Jürgen Ďurďák',
  Vietnamese: 'Nguyễn Thị Hợp: Tôi bị dị ứng với thuốc kháng sinh, mẹ tôi cũng vậy',
  Cyrillic: 'Елена Жукова, Олександр Ґалаґан, Ђорђе',
  Greek: 'Ελένη Παπαδοπούλου Ἀθηνᾶ',
  Arabic: 'عندي حساسية من البنسلين منذ الطفولة',
  Persian: 'من به پنی سیلین حساسیت دارم',
  Hebrew: 'אני אלרגי לפניצילין מאז הילדות',
  Devanagari: 'मुझे पेनिसिलिन से एलर्जी है। क्षत्रिय विद्यार्थी श्री हिन्दी प्रार्थना',
  Chinese: '我对青霉素过敏,母亲有糖尿病。',
  'Traditional Chinese': '我對盤尼西林過敏,請與我聯絡。',
  Japanese: 'ペニシリンにアレルギーがあります。母は糖尿病です。',
  Korean: '저는 페니실린 알레르기가 있습니다',
  'letters of two fonts': 'Dr. 李 (Wei) 3 times',
  emoji: 'fine 😀 👍🏽 🦄 ❤️',
};
const languages = Object.entries(scripts);

test.skipIf(!hasPoppler).each(languages)('%s is copied out of the PDF as it was typed', async (_, text) => {
  for (const face of ['plain', 'bold', 'hand'] as const) {
    const pdf = await make((paper) => paper.paragraph(text, { face }), { documentText: text });
    const copied = pdfToText(pdf).replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
    const body = copied.replace('Footer', '').replace('Page 1 of 1', '');
    expect(body.replaceAll(/\s+/g, ' ').trim()).toBe(text);
  }
});

test.each(languages)('%s is tagged so that it is read in its order', async (_, text) => {
  const pdf = await make((paper) => paper.paragraph(text), { documentText: text });
  const { problems, root } = await checkAccessibility(pdf);
  expect(problems).toEqual([]);
  const [paragraph] = root.children;
  const spans = (paragraph as StructureElement).children;
  const read =
    spans.length > 0 ? spans.map(({ actualText }) => actualText).join('') : (await textsAboveFooter(pdf)).join('');
  expect(read).toBe(text);
});

test('right-to-left text is drawn from right to left, numbers and Latin words in it from left to right', async () => {
  const boxes = await drawnBy((pdf) => pdf.paragraph('עברית 123 (Latin words) סוף'), ' ');
  const at = (text: string) => boxes.find((box) => box.text.trim() === text)?.left ?? NaN;
  const order = ['סוף', '(', 'Latin', 'words', ')', '123', 'עברית'].map(at);
  expect(order).not.toContain(NaN);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(at('עברית')).toBeGreaterThan(500);
});

/** What medical records are written with, besides letters: thresholds, units, amounts, powers, marks. */
const medical =
  '≥ ≤ < > ≠ ≈ ± × ÷ − ° µ μ % ‰ ½ ¼ ¾ ⅓ ⅔ ⅛ ⅜ ⅝ ⅞ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹ ⁰ ⁻ ⁺ ₀ ₁ ₂ ₃ ₄ → ← ↑ ↓ ↔ ⇒ € £ ¥ ¢ – — ‑ • · … ‹ › « » “ ” ‘ ’ „ † ‡ § ¶ ™ ® © ' +
  '✓ ✔ ✗ ✘ ☐ ☑ ☒ ■ □ ● ○ ▲ ▼ ◆ ★ ☆ √ ∞ ∆ Δ ∑ Σ Ω π α β γ ♀ ♂ ⚠ ☎ ♥ ① ② ③ ℃ ℉ ℞ ℓ № ′ ″ ⁄ ª º ¿ ¡ ✅ ❌';

test.each(['plain', 'bold', 'hand'] as const)(
  'every sign that medical records use is printed as it is (%s)',
  async (face) => {
    const texts = await pdfTexts(await make((pdf) => pdf.paragraph(medical, { face })));
    expect(texts.join('').replaceAll(' ', '')).toContain(medical.replaceAll(' ', ''));
  },
);

test('a character that no font has is printed as its number, not as a question mark', async () => {
  const shown = async (text: string) => (await textsAboveFooter(await make((pdf) => pdf.paragraph(text)))).join('');
  expect(await shown('Gothic \u{10330}, private \ue000')).toBe('Gothic [U+10330], private [U+E000]');
  expect(await shown('Jose\u0301\u0000 a\u00adb')).toBe('José ab');
});

test('a long document has headings, lists, tables and figures for screen readers, and nothing else is read', async () => {
  const image = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const pdf = await make(
    (paper) => {
      paper.title('Title & <more>');
      paper.facts([
        ['Patient', 'Ada Byron'],
        ['Comment', 'word '.repeat(900)],
      ]);
      paper.heading('First', 1);
      paper.heading('Too deep', 5);
      paper.group(() => {
        paper.paragraph('A question');
        paper.paragraph('An answer '.repeat(600));
        paper.paragraph('سؤال '.repeat(600));
        paper.picture(image, 'Photo of a card', { width: 270, height: 175 });
      });
      paper.list([{ mark: '•', text: 'point '.repeat(30) }], { indent: 16 });
      paper.signatureBox('Signature', { width: 200, height: 40 });
    },
    { title: 'Title & <more>' },
  );
  const { problems, root } = await checkAccessibility(pdf);
  expect(problems).toEqual([]);
  expect(root.children.map(({ type }) => type)).toEqual(['H1', 'Table', 'H2', 'H3', 'Div', 'L', 'P']);
  expect(root.children[4]?.children.at(-1)).toMatchObject({ type: 'Figure', alt: 'Photo of a card' });
  expect((await PDFDocument.load(pdf)).getPageCount()).toBeGreaterThan(4);
});

test.skipIf(!hasPoppler)('pdfinfo reads the structure and its text', async () => {
  const pdf = await make((paper) => {
    paper.title('Health History');
    paper.facts([['Patient', 'Ada Byron']]);
    paper.heading('Allergies');
    paper.paragraph('None');
    paper.list([{ mark: '•', text: 'one' }]);
  });
  const lines = structureText(pdf)
    .split('\n')
    .map((line) => line.trim());
  expect(lines.filter(Boolean)).toEqual([
    'Document',
    'H1 (block)',
    '"Health History"',
    'Table (block)',
    'TR',
    'TH:',
    '/Scope /Row',
    '"Patient"',
    'TD',
    '"Ada Byron"',
    'H2 (block)',
    '"Allergies"',
    'P (block)',
    '"None"',
    'L (block)',
    'LI (block)',
    'Lbl (block)',
    '"•"',
    'LBody (block)',
    '"one"',
  ]);
});

test('the same content makes the same bytes, whatever was written before', async () => {
  const write = (pdf: PdfWriter) => pdf.paragraph(Object.values(scripts).join(' '));
  const first = await make(write);
  await make((pdf) => pdf.paragraph('منذ بيت ثنتين íìịi 年'));
  expect((await make(write)).equals(first)).toBe(true);
});
