import { PDFDocument, PDFPage } from 'pdf-lib';
import { expect, test, vi } from 'vitest';
import { numberPages, openPaper } from './paper.ts';

/** Every piece of text on the paper with the box it takes. */
async function drawnBy(write: (pdf: PDFDocument) => Promise<void>) {
  const drawn = vi.spyOn(PDFPage.prototype, 'drawText');
  const pdf = await PDFDocument.create();
  await write(pdf);
  const boxes = drawn.mock.calls.map(([text, { x = 0, y = 0, size = 0, font } = {}]) => ({
    text,
    y,
    left: x,
    right: x + (font?.widthOfTextAtSize(text, size) ?? 0),
  }));
  drawn.mockRestore();
  return boxes;
}

const id = '019f1111-1111-7111-8111-111111111111';
const office = 'Maple Street Pediatrics';

test.each([
  ['short', 'Health History', 1],
  ['long', 'Health History and Family History for New Patients, with Consent to Treatment of Minors', 2],
  ['endless', 'A form with a name that somebody pasted from somewhere else, all of it. '.repeat(12), 3],
  ['endless without a space', 'Fragebogen'.repeat(60), 3],
])('a %s form name at the foot never prints over the page number', async (_, name, lines) => {
  const boxes = await drawnBy(async (pdf) => {
    const paper = await openPaper(pdf);
    paper.newPage();
    await numberPages(pdf, `${office} · ${name} · ${id}`, (n, of) => `Page ${n} of ${of}`);
  });
  const number = boxes.find(({ text }) => text === 'Page 1 of 1');
  const foot = boxes.filter((box) => box !== number);
  expect(foot).toHaveLength(lines);
  for (const { right, y } of foot) {
    expect(right).toBeLessThan((number?.left ?? 0) - 10);
    // Below the last line of text.
    expect(y).toBeLessThan(64);
  }
  expect(foot.map(({ text }) => text).join(' ')).toContain(id);
  expect(new Set(foot.map(({ y }) => y)).size).toBe(lines);
});

test('10,000 letters without a space are cut into lines at once, none of them wider than the page', async () => {
  const word = 'Wi'.repeat(5000);
  const started = performance.now();
  const boxes = await drawnBy(async (pdf) => (await openPaper(pdf)).paragraph(word));
  expect(performance.now() - started).toBeLessThan(2000);
  expect(boxes.map(({ text }) => text).join('')).toBe(word);
  expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(612 - 64 + 0.01);
});
