import type { Face, FontFile, FontFinder } from './fonts.ts';
import { layOut, type Line } from './text.ts';

/** US Letter and its margins, in points. */
export const pageDimensions = { width: 612, height: 792, left: 64, right: 64, top: 68, bottom: 72 };
export const columnWidth = pageDimensions.width - pageDimensions.left - pageDimensions.right;
export const ink = '#1a1f29';
export const faint = '#616975';
export const lineHeight = 1.45;

/** The pages of a document that is written from the top down, and where its next line goes. */
export interface PageFlow {
  doc: PDFKit.PDFDocument;
  /** Where the next line begins, counted from the top of the page. */
  y: number;
  newPage(): void;
  /** Begins a new page if fewer than `height` points are left. */
  reserve(height: number): void;
  /** Cuts a text into lines of `width` points. */
  lay(text: string, face: Face, size: number, width: number): Line[];
  /** The number of the current page, from 1. */
  pageNumber(): number;
}

export function openPageFlow(doc: PDFKit.PDFDocument, fonts: FontFinder): PageFlow {
  doc.on('pageAdded', () => turnOver(doc));
  const measure = (file: FontFile, text: string) =>
    doc
      .font(file.font as never, file.key)
      .fontSize(1)
      .widthOfString(text);
  const flow: PageFlow = {
    doc,
    y: 0,
    newPage() {
      // Continues what is being written, such as a paragraph, on the new page.
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

const turnOver = (doc: PDFKit.PDFDocument) => doc.transform(1, 0, 0, -1, 0, pageDimensions.height);

/** Draws anything but text, in coordinates from the top of the page. */
export function drawShape(doc: PDFKit.PDFDocument, draw: () => void): void {
  doc.save();
  turnOver(doc);
  draw();
  doc.restore();
}
