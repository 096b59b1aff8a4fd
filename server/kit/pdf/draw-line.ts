import type { Line, Piece } from './text.ts';

export interface DrawnLine {
  baseline: number;
  size: number;
  color: string;
  /** The width of the column, so that a right-to-left line ends at its right edge. Without it, every line starts at `x`. */
  column?: number;
}

const asItIs = (_piece: Piece, draw: () => void) => draw();

/** Draws a line that starts at `x`; a right-to-left line is aligned to the right edge of its column. */
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
 * Draws text without changing the coordinate system. PDFKit flips the page's y axis for its own coordinates, flips it back around each
 * text, and then restores the previous font. Some PDF readers position `ActualText` by the coordinates and font in effect at the end of
 * the marked content, and would then use the wrong ones. Pages are therefore not flipped here, and `transform`, `save`, and `restore` do
 * nothing while PDFKit writes the text. Test: document.test.ts.
 */
function drawText(doc: PDFKit.PDFDocument, text: string, x: number, baseline: number): void {
  Object.assign(doc, { transform: () => doc, save: () => doc, restore: () => doc });
  // PDFKit needs the width for links and underlines only. Passing one keeps it from measuring the text again.
  doc.text(text, x, baseline, { lineBreak: false, baseline: 'alphabetic', textWidth: 0, wordCount: 1 } as object);
  for (const name of ['transform', 'save', 'restore']) Reflect.deleteProperty(doc, name);
}
