import { PDFDocument, PDFName, PDFString, rgb, StandardFonts, type PDFFont, type PDFPage } from 'pdf-lib';
import type { Language } from '#contract/refusals.ts';
import type { Writing } from './writing.ts';

const letter = { width: 612, height: 792 };
const margin = { side: 72, top: 72, bottom: 78 };
const ink = rgb(0.08, 0.13, 0.17);
const quiet = rgb(0.3, 0.35, 0.4);

interface Style {
  font: PDFFont;
  size: number;
  leading: number;
  before: number;
  indent?: number;
  bullet?: true;
  /** Lines that must fit below it on the same page. */
  keepWith?: number;
}

/** Typesets a document on US Letter pages with its edition and the page numbers at the foot. */
export async function typeset(
  writing: Writing,
  { product, language, edition, pageOf }: { product: string; language: Language; edition: string; pageOf: string },
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const [regular, bold] = await Promise.all([
    pdf.embedFont(StandardFonts.Helvetica),
    pdf.embedFont(StandardFonts.HelveticaBold),
  ]);
  pdf.setTitle(writing.title, { showInWindowTitleBar: true });
  pdf.setAuthor(product);
  pdf.setLanguage(language);
  pdf.catalog.set(PDFName.of('Lang'), PDFString.of(language));

  const body: Style = { font: regular, size: 10.5, leading: 15.5, before: 7 };
  const sheet = sheetOf(pdf);
  sheet.write(product, { font: bold, size: 10, leading: 14, before: 0 });
  sheet.write(writing.title, { font: bold, size: 21, leading: 28, before: 6 });
  sheet.write(edition, { font: regular, size: 9.5, leading: 14, before: 0 });
  for (const paragraph of writing.intro) sheet.write(paragraph, { ...body, before: 10 });
  for (const { heading, paragraphs, list = [] } of writing.sections) {
    sheet.write(heading, { font: bold, size: 12.5, leading: 17, before: 17, keepWith: 3 });
    for (const paragraph of paragraphs) sheet.write(paragraph, body);
    for (const point of list) sheet.write(point, { ...body, before: 4, indent: 16, bullet: true });
  }
  const pages = pdf.getPages();
  for (const [i, page] of pages.entries()) {
    const number = pageOf.replace('{page}', String(i + 1)).replace('{pages}', String(pages.length));
    const foot = { y: 42, size: 8.5, font: regular, color: quiet };
    page.drawText(printable(regular, `${product} · ${writing.title} · ${edition}`), { ...foot, x: margin.side });
    const width = regular.widthOfTextAtSize(number, foot.size);
    page.drawText(number, { ...foot, x: letter.width - margin.side - width });
  }
  return pdf.save();
}

/** Writes from the top down and begins a new page when one is full. */
function sheetOf(pdf: PDFDocument) {
  let page: PDFPage | undefined;
  let y = 0;
  const turn = () => {
    page = pdf.addPage([letter.width, letter.height]);
    y = letter.height - margin.top;
  };
  return {
    write(text: string, { font, size, leading, before, indent = 0, bullet, keepWith = 0 }: Style) {
      const lines = wrap(font, size, printable(font, text), letter.width - 2 * margin.side - indent);
      const isTop = !page || y === letter.height - margin.top;
      if (!isTop) y -= before;
      const needed = (Math.min(lines.length, 2) + keepWith) * leading;
      if (!page || y - needed < margin.bottom) turn();
      for (const [i, line] of lines.entries()) {
        if (y - leading < margin.bottom) turn();
        y -= leading;
        const at = { y, size, font, color: ink };
        if (bullet && i === 0) page?.drawText('•', { ...at, x: margin.side + 4 });
        page?.drawText(line, { ...at, x: margin.side + indent });
      }
    },
  };
}

function wrap(font: PDFFont, size: number, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && font.widthOfTextAtSize(longer, size) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** A product's name may hold signs that the reader's own fonts lack. */
function printable(font: PDFFont, text: string): string {
  const has = new Set(font.getCharacterSet());
  return Array.from(text, (sign) => (has.has(sign.codePointAt(0) ?? 0) ? sign : '?')).join('');
}
