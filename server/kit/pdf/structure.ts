import { drawLine, type DrawnLine } from './draw-line.ts';
import type { Line, Piece } from './text.ts';

/** Lines of text and where each is drawn. */
export interface TextContent {
  lines: readonly Line[];
  x: number;
  draw: { before?: () => void; at: () => DrawnLine };
}

/** The tags of a document, by which screen readers read it. An overlay has none. */
export interface Structure {
  /** Adds an element with content: what `write` draws, or the lines of a text. */
  element(type: string, options: object, content: (() => void) | TextContent): void;
  /** Adds an element that holds other elements. */
  container(type: string, write: () => void): void;
  /** Draws what screen readers skip. */
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
    // Plain lines share one piece of marked content, which goes on when a page ends.
    const next = lines.findIndex((other, at) => at > i && other.actualText !== undefined);
    const plain = lines.slice(i, next === -1 ? lines.length : next);
    to.add(() => plain.forEach((one, at) => (at > 0 && draw.before?.(), drawLine(doc, one, x, draw.at()))));
    i += plain.length;
  }
}

/** Adds a line whose glyphs do not say its text, together with that text. */
function addSpelledLine(
  doc: PDFKit.PDFDocument,
  to: PDFKit.PDFStructureElement,
  line: Line,
  x: number,
  at: DrawnLine,
): void {
  const span = doc.struct('Span', { actual: line.actualText });
  to.add(span);
  // Marked content may not be nested, or readers lose what follows: each piece is marked by itself.
  const contents = new Map<Piece, PDFKit.PDFStructureContent>();
  drawLine(doc, line, x, at, (piece, drawPiece) => {
    // Readers turn right-to-left glyphs around by themselves, and some of them this text too.
    const isSpelled = piece.level % 2 === 1 || !piece.isReshaped;
    const content = doc.markStructureContent('Span', isSpelled ? {} : { actual: piece.text });
    drawPiece();
    doc.endMarkedContent();
    contents.set(piece, content);
  });
  for (const piece of line.readingOrder) span.add(contents.get(piece) as PDFKit.PDFStructureContent);
  span.end();
}
