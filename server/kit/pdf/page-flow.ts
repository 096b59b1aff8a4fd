import type { Face, FontFile, FontFinder } from './fonts.ts';
import { layOut, type Line } from './text.ts';

/** US Letter and its margins, in points. */
export const pageDimensions = { width: 612, height: 792, left: 64, right: 64, top: 68, bottom: 72 };
export const columnWidth = pageDimensions.width - pageDimensions.left - pageDimensions.right;
export const ink = '#1a1f29';
export const faint = '#616975';
export const lineHeight = 1.45;

/** A document's pages, filled from top to bottom, and the position of the next line. */
export interface PageFlow {
  doc: PDFKit.PDFDocument;
  /** The top of the next line, in points from the top of the page. */
  y: number;
  newPage(): void;
  /** Starts a new page if fewer than `height` points are left on this one. */
  reserve(height: number): void;
  /** Breaks a text into lines no wider than `width` points. */
  lay(text: string, face: Face, size: number, width: number): Line[];
  /** The number of the current page, from 1. */
  pageNumber(): number;
}

export function openPageFlow(doc: PDFKit.PDFDocument, fonts: FontFinder): PageFlow {
  doc.on('pageAdded', () => flipVertically(doc));
  const measure = (file: FontFile, text: string) =>
    doc
      .font(file.font as never, file.key)
      .fontSize(1)
      .widthOfString(text);
  const flow: PageFlow = {
    doc,
    y: 0,
    newPage() {
      // Keeps the open tag, such as a paragraph, open on the new page.
      if (doc.page) doc.continueOnNewPage();
      else doc.addPage();
      flow.y = pageDimensions.top;
    },
    reserve(height) {
      if (!doc.page || flow.y + height > pageDimensions.height - pageDimensions.bottom) flow.newPage();
    },
    lay: (text, face, size, width) => layOut(text, face, width / size, fonts, measure),
    pageNumber: () => doc.bufferedPageRange().count,
  };
  return flow;
}

/** Flips the y axis. PDFKit flips it on each new page; flipping it again restores PDF's own coordinates. */
const flipVertically = (doc: PDFKit.PDFDocument) => doc.transform(1, 0, 0, -1, 0, pageDimensions.height);

/** Draws a shape or picture in coordinates that start at the top of the page. Text is not drawn this way: see draw-line.ts. */
export function drawShape(doc: PDFKit.PDFDocument, draw: () => void): void {
  doc.save();
  flipVertically(doc);
  draw();
  doc.restore();
}
