import { drawLine, type DrawnLine } from './draw-line.ts';
import type { Line, Piece } from './text.ts';

/** Lines of text and where each is drawn. */
export interface TextContent {
  lines: readonly Line[];
  x: number;
  draw: { before?: () => void; at: () => DrawnLine };
}

/** A document's tags, which tell screen readers what each part is. An overlay has none. */
export interface Structure {
  /** Adds an element with its content: a function that draws it, or lines of text. */
  element(type: string, options: object, content: (() => void) | TextContent): void;
  /** Adds an element that contains the elements `write` adds. */
  container(type: string, write: () => void): void;
  /** Draws something that screen readers skip, such as a footer. */
  artifact(draw: () => void, type?: 'Layout' | 'Pagination'): void;
}

export function openStructure(doc: PDFKit.PDFDocument, isOverlay: boolean): Structure {
  const root = doc.struct('Document');
  doc.addStructure(root);
  let parent = root;

  return {
    element(type, options, content) {
      if (isOverlay) {
        if (typeof content === 'function') content();
        else for (const line of content.lines) drawLine(doc, line, content.x, content.draw.at());
        return;
      }
      const added = doc.struct(type, options);
      parent.add(added);
      if (typeof content === 'function') added.add(content);
      else addLines(doc, added, content);
      added.end();
    },
    container(type, write) {
      const outer = parent;
      const added = doc.struct(type);
      outer.add(added);
      parent = added;
      try {
        write();
      } finally {
        parent = outer;
        added.end();
      }
    },
    artifact(draw, type = 'Layout') {
      if (isOverlay) return draw();
      doc.markContent('Artifact', { type });
      draw();
      doc.endMarkedContent();
    },
  };
}

function addLines(doc: PDFKit.PDFDocument, to: PDFKit.PDFStructureElement, { lines, x, draw }: TextContent): void {
  for (let i = 0; i < lines.length;) {
    const line = lines[i] as Line;
    draw.before?.();
    if (line.actualText !== undefined) {
      addSpelledLine(doc, to, line, x, draw.at());
      i++;
      continue;
    }
    // Consecutive lines without `actualText` share one marked content, which continues on the next page.
    const next = lines.findIndex((other, at) => at > i && other.actualText !== undefined);
    const plain = lines.slice(i, next === -1 ? lines.length : next);
    to.add(() => plain.forEach((one, at) => (at > 0 && draw.before?.(), drawLine(doc, one, x, draw.at()))));
    i += plain.length;
  }
}

/** Adds a line whose glyphs alone do not spell its text, and tags it with that text. */
function addSpelledLine(
  doc: PDFKit.PDFDocument,
  to: PDFKit.PDFStructureElement,
  line: Line,
  x: number,
  at: DrawnLine,
): void {
  const span = doc.struct('Span', { actual: line.actualText });
  to.add(span);
  // One marked content per piece: PDF readers lose the text after a nested one.
  const contents = new Map<Piece, PDFKit.PDFStructureContent>();
  drawLine(doc, line, x, at, (piece, drawPiece) => {
    // PDF readers reverse right-to-left glyphs themselves. Some would reverse this text too, so such a piece gets none.
    const isSpelled = piece.level % 2 === 1 || !piece.isReshaped;
    const content = doc.markStructureContent('Span', isSpelled ? {} : { actual: piece.text });
    drawPiece();
    doc.endMarkedContent();
    contents.set(piece, content);
  });
  for (const piece of line.readingOrder) span.add(contents.get(piece) as PDFKit.PDFStructureContent);
  span.end();
}
