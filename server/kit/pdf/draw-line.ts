import type { Line, Piece } from './text.ts';

export interface DrawnLine {
  baseline: number;
  size: number;
  color: string;
  /** Width of the column; without it, a right-to-left line begins at its left edge too. */
  column?: number;
}

const asItIs = (_piece: Piece, draw: () => void) => draw();

/** Draws a line from `x`, or up to the end of its column if it runs from right to left. */
export function drawLine(
  doc: PDFKit.PDFDocument,
  { pieces, width, isRightToLeft }: Line,
  x: number,
  at: DrawnLine,
  around = asItIs,
): void {
  let left = isRightToLeft && at.column !== undefined ? x + at.column - width * at.size : x;
  for (const piece of pieces) {
    around(piece, () => {
      doc
        .font(piece.file.font as never, piece.file.key)
        .fontSize(at.size)
        .fillColor(at.color);
      drawText(doc, piece.text, left, at.baseline);
    });
    left += piece.width * at.size;
  }
}

/**
 * The library turns the page upside down for its own coordinates and back again around each text, and then restores the font.
 * Some readers place `ActualText` by the coordinates and the font that hold at the end of the marked content. So pages stay
 * upright here, and the text commands stand alone.
 */
function drawText(doc: PDFKit.PDFDocument, text: string, x: number, baseline: number): void {
  Object.assign(doc, { transform: () => doc, save: () => doc, restore: () => doc });
  // The width only matters for links and underlines; with it, the library does not measure the text again.
  doc.text(text, x, baseline, { lineBreak: false, baseline: 'alphabetic', textWidth: 0, wordCount: 1 } as object);
  for (const name of ['transform', 'save', 'restore']) Reflect.deleteProperty(doc, name);
}
