import { buffer } from 'node:stream/consumers';
import PDFKit from 'pdfkit';
import { createFontFinder, type Face, type FontFile } from './fonts.ts';
import { layOut, type Line, type Piece } from './text.ts';

/** US Letter and its margins, in points. */
export const page = { width: 612, height: 792, left: 64, right: 64, top: 68, bottom: 72 };
const ink = '#1a1f29';
const faint = '#616975';
const lineHeight = 1.45;
const columnWidth = page.width - page.left - page.right;

/** A rectangle on a page: pages count from 1, points from the page's lower left corner. */
export interface Box {
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface TextLook {
  face?: Face;
  size?: number;
  indent?: number;
  /** Space below. */
  after?: number;
  /** In the fainter color of labels. */
  quiet?: boolean;
}

export interface PdfInfo {
  title: string;
  author?: string;
  subject?: string;
  /** Program that wrote the PDF. */
  product: string;
  language: string;
  /** The same content and date make the same bytes. Now, if absent. */
  date?: Date;
  /** Without tags: to be stamped onto a page of another PDF, where the whole is one figure. */
  isOverlay?: boolean;
  /** Texts of the document, to tell Chinese, Japanese, and Korean apart. */
  documentText?: string;
}

/** Missing in the types. */
interface ImageOpener {
  openImage(bytes: Uint8Array): { width: number; height: number };
}

const asItIs = (_piece: Piece, draw: () => void) => draw();

interface DrawnLine {
  baseline: number;
  size: number;
  color: string;
  /** Width of the column; without it, a right-to-left line begins at its left edge too. */
  column?: number;
}

interface TextContent {
  lines: readonly Line[];
  x: number;
  draw: { before?: () => void; at: () => DrawnLine };
}

/** A text document, written from the top down, tagged for screen readers (PDF/UA-1). New pages begin by themselves. */
export interface PdfWriter {
  title(text: string): void;
  /** `level` 1 is the first level below the title; deeper levels follow without gaps. */
  heading(text: string, level?: number): void;
  paragraph(text: string, look?: TextLook): void;
  /** A list; the mark (a bullet, a clause's number) stands in the indent. */
  list(items: readonly { mark: string; text: string }[], look?: TextLook): void;
  /** A table of two columns: label and value. */
  facts(rows: readonly (readonly [string, string])[]): void;
  gap(points: number): void;
  /** Begins a new page if fewer than `points` are left, so that what follows stays together. */
  reserve(points: number): void;
  /** What `write` writes belongs together, such as a question and its answers. */
  group(write: () => void): void;
  newPage(): void;
  /** An empty box for a signature, with a line at its foot and a label below. */
  signatureBox(label: string, size: { width: number; height: number }): Box;
  /** A picture in its own proportions, no larger than `size`, with its description for screen readers. */
  picture(image: Buffer, alt: string, size: { width: number; height: number; indent?: number }): void;
  /** One line of text at a fixed position, shrunk to `width`; `y` is its baseline, from the foot of the page. */
  textAt(text: string, at: { x: number; y: number; size: number; width?: number; face?: Face; color?: string }): void;
  /** A line through these points, counted from the lower left corner. */
  stroke(points: readonly (readonly [number, number])[], look: { width: number; color: string }): void;
  /** Writes the footer of every page and ends the document. */
  finish(footer?: {
    left: string;
    page: (n: number, of: number) => string;
    firstPage?: number;
    pages?: number;
  }): Promise<Buffer>;
}

export function createPdf(info: PdfInfo): PdfWriter {
  const date = info.date ?? new Date();
  const doc = new PDFKit({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA' as never, // missing in the types
    tagged: true,
    displayTitle: true,
    lang: info.language,
    // No standard font: every font is embedded.
    font: null as unknown as string,
    info: {
      Title: info.title,
      ...(info.author && { Author: info.author }),
      ...(info.subject && { Subject: info.subject }),
      Producer: info.product,
      Creator: info.product,
      CreationDate: date,
      ModDate: date,
    },
  });
  escapeMetadata(doc);
  const bytes = buffer(doc);
  const fonts = createFontFinder(info.documentText ?? '');
  const root = doc.struct('Document');
  doc.addStructure(root);
  let parent = root;
  let y = 0;
  let headingLevel = 1;

  doc.on('pageAdded', () => turnOver());
  const measure = (file: FontFile, text: string) =>
    doc
      .font(file.font as never, file.key)
      .fontSize(1)
      .widthOfString(text);
  const lay = (text: string, face: Face, size: number, width: number) =>
    layOut(text, face, width / size, fonts, measure);

  const newPage = () => {
    // Continues what is being written, such as a paragraph, on the new page.
    if (doc.page) doc.continueOnNewPage();
    else doc.addPage();
    y = page.top;
  };
  const reserve = (height: number) => {
    if (!doc.page || y + height > page.height - page.bottom) newPage();
  };

  /** Draws a line from `x`, or up to the end of its column if it runs from right to left. */
  const drawLine = ({ pieces, width, isRightToLeft }: Line, x: number, at: DrawnLine, around = asItIs) => {
    let left = isRightToLeft && at.column !== undefined ? x + at.column - width * at.size : x;
    for (const piece of pieces) {
      around(piece, () => {
        doc
          .font(piece.file.font as never, piece.file.key)
          .fontSize(at.size)
          .fillColor(at.color);
        drawText(piece.text, left, at.baseline);
      });
      left += piece.width * at.size;
    }
  };
  /**
   * The library turns the page upside down for its own coordinates and back again around each text, and then restores the font.
   * Some readers place `ActualText` by the coordinates and the font that hold at the end of the marked content. So pages stay
   * upright here, and the text commands stand alone.
   */
  const drawText = (text: string, x: number, baseline: number) => {
    Object.assign(doc, { transform: () => doc, save: () => doc, restore: () => doc });
    // The width only matters for links and underlines; with it, the library does not measure the text again.
    doc.text(text, x, baseline, { lineBreak: false, baseline: 'alphabetic', textWidth: 0, wordCount: 1 } as object);
    for (const name of ['transform', 'save', 'restore']) Reflect.deleteProperty(doc, name);
  };
  const turnOver = () => doc.transform(1, 0, 0, -1, 0, page.height);
  /** For everything but text. */
  const drawShape = (draw: () => void) => {
    doc.save();
    turnOver();
    draw();
    doc.restore();
  };

  /** Adds an element with content: what `write` draws, or the lines of a text. */
  const element = (type: string, options: object, content: (() => void) | TextContent) => {
    if (info.isOverlay) {
      if (typeof content === 'function') content();
      else for (const line of content.lines) drawLine(line, content.x, content.draw.at());
      return;
    }
    const added = doc.struct(type, options);
    parent.add(added);
    if (typeof content === 'function') added.add(content);
    else addLines(added, content);
    added.end();
  };
  const addLines = (to: PDFKit.PDFStructureElement, { lines, x, draw }: TextContent) => {
    for (let i = 0; i < lines.length;) {
      const line = lines[i] as Line;
      draw.before?.();
      if (line.actualText === undefined) {
        // Plain lines share one piece of marked content, which goes on when a page ends.
        const next = lines.findIndex((other, at) => at > i && other.actualText !== undefined);
        const plain = lines.slice(i, next === -1 ? lines.length : next);
        to.add(() => plain.forEach((one, at) => (at > 0 && draw.before?.(), drawLine(one, x, draw.at()))));
        i += plain.length;
        continue;
      }
      const span = doc.struct('Span', { actual: line.actualText });
      to.add(span);
      // Marked content may not be nested, or readers lose what follows: each piece is marked by itself.
      const contents = new Map<Piece, PDFKit.PDFStructureContent>();
      drawLine(line, x, draw.at(), (piece, drawPiece) => {
        // Readers turn right-to-left glyphs around by themselves, and some of them this text too.
        const isSpelled = piece.level % 2 === 1 || !piece.isReshaped;
        const content = doc.markStructureContent('Span', isSpelled ? {} : { actual: piece.text });
        drawPiece();
        doc.endMarkedContent();
        contents.set(piece, content);
      });
      for (const piece of line.readingOrder) span.add(contents.get(piece) as PDFKit.PDFStructureContent);
      span.end();
      i++;
    }
  };
  /** Adds an element that holds other elements. */
  const container = (type: string, write: () => void) => {
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
  };
  const artifact = (draw: () => void, type: 'Layout' | 'Pagination' = 'Layout') => {
    if (info.isOverlay) return draw();
    doc.markContent('Artifact', { type });
    draw();
    doc.endMarkedContent();
  };

  /** Lines from the current position down, onto new pages where needed. */
  const flowing = (
    lines: readonly Line[],
    x: number,
    size: number,
    color: string,
    column = page.width - page.right - x,
  ) => ({
    lines,
    x,
    draw: {
      before: () => reserve(size * lineHeight),
      at: () => ({ baseline: (y += size * lineHeight), size, color, column }),
    },
  });
  /** One line at a fixed position. */
  const fixed = (line: Line, x: number, at: DrawnLine) => ({ lines: [line], x, draw: { at: () => at } });
  const paragraph = (type: string, text: string, look: TextLook = {}) => {
    const { face = 'plain', size = 10, indent = 0, after = 6, quiet = false } = look;
    const x = page.left + indent;
    const lines = lay(text, face, size, page.width - page.right - x);
    // No line of a paragraph stands alone at the foot of a page.
    reserve(size * lineHeight * Math.min(lines.length, 2));
    element(type, {}, flowing(lines, x, size, quiet ? faint : ink));
    y += after;
  };

  const writer: PdfWriter = {
    title: (text) => paragraph('H1', text, { face: 'bold', size: 19, after: 10 }),
    heading(text, level = 1) {
      headingLevel = Math.min(level + 1, headingLevel + 1, 6);
      y += 8;
      reserve(60); // a heading stays with its text
      paragraph(`H${headingLevel}`, text, { face: 'bold', size: 12, after: 3 });
    },
    paragraph: (text, look) => paragraph('P', text, look),
    list(items, look = {}) {
      const { face = 'plain', size = 10, indent = 0, after = 6 } = look;
      const x = page.left + indent;
      container('L', () => {
        for (const { mark, text } of items)
          container('LI', () => {
            const lines = lay(text, face, size, page.width - page.right - x);
            reserve(size * lineHeight * Math.min(lines.length, 2));
            const [label] = lay(mark, face, size, columnWidth);
            const markAt = { baseline: y + size * lineHeight, size, color: ink };
            if (label) element('Lbl', {}, fixed(label, x - 5 - label.width * size, markAt));
            element('LBody', {}, flowing(lines, x, size, ink));
            y += after;
          });
      });
    },
    facts(rows) {
      container('Table', () => {
        for (const [label, value] of rows)
          container('TR', () => {
            const size = /\S{60}/.test(value) ? 8.5 : 9.5;
            const lines = lay(value, 'plain', size, columnWidth - 150);
            const labels = lay(label, 'plain', 9.5, 140);
            reserve(14 * labels.length);
            const top = y;
            element('TH', { scope: 'Row' }, flowing(labels, page.left, 9.5, faint, 140));
            const labelFoot = y;
            y = top;
            const pages = doc.bufferedPageRange().count;
            element('TD', {}, flowing(lines, page.left + 150, size, ink));
            if (doc.bufferedPageRange().count === pages) y = Math.max(y, labelFoot);
            y += 3;
          });
      });
      y += 6;
    },
    gap: (points) => void (y += points),
    reserve: (points) => reserve(Math.min(points, page.height - page.top - page.bottom)),
    group: (write) => container('Div', write),
    newPage,
    signatureBox(label, { width, height }) {
      reserve(height + 26);
      y += height;
      const box = { page: doc.bufferedPageRange().count, x: page.left, y: page.height - y, width, height };
      artifact(() => drawShape(() => rule(page.left, y, width)));
      y += 12 - 8.5 * lineHeight;
      element('P', {}, flowing(lay(label, 'plain', 8.5, columnWidth), page.left, 8.5, faint));
      y += 14;
      return box;
    },
    picture(image, alt, { width, height, indent = 0 }) {
      // A copy: the library reads from the start of the memory behind a Buffer.
      const opened = (doc as unknown as ImageOpener).openImage(new Uint8Array(image));
      const scale = Math.min(Math.min(width, columnWidth - indent) / opened.width, height / opened.height);
      const [w, h] = [opened.width * scale, opened.height * scale];
      reserve(h + 6);
      y += 6;
      const x = page.left + indent;
      element('Figure', { alt, bbox: [x, y, x + w, y + h] }, () =>
        drawShape(() => doc.image(opened as never, x, y, { width: w, height: h })),
      );
      y += h + 8;
    },
    textAt(text, { x, y: baseline, size, width, face = 'plain', color = ink }) {
      const [line] = layOut(text, face, Infinity, fonts, measure);
      if (!line) return;
      const fitting = width === undefined ? size : Math.min(size, width / line.width);
      if (!doc.page) newPage();
      element('P', {}, fixed(line, x, { baseline: page.height - baseline, size: fitting, color }));
    },
    stroke(points, { width, color }) {
      if (!doc.page) newPage();
      // Upright like the text, so the points need not be turned over.
      artifact(() => {
        doc.lineWidth(width).lineCap('round').lineJoin('round').strokeColor(color);
        for (const [i, [px, py]] of points.entries())
          if (i === 0) doc.moveTo(px, py).lineTo(px, py);
          else doc.lineTo(px, py);
        doc.stroke();
      });
    },
    finish(footer) {
      const { count } = doc.bufferedPageRange();
      for (let i = 0; footer && i < count; i++) {
        doc.switchToPage(i);
        const number = (footer.firstPage ?? 1) + i;
        artifact(() => writeFooter(footer.left, footer.page(number, footer.pages ?? count)), 'Pagination');
      }
      doc.end();
      return bytes;
    },
  };

  function rule(x: number, at: number, width: number) {
    doc
      .lineWidth(0.75)
      .strokeColor(faint)
      .moveTo(x, at)
      .lineTo(x + width, at)
      .stroke();
  }

  function writeFooter(left: string, right: string) {
    const size = 8;
    const [number] = lay(right, 'plain', size, columnWidth);
    if (!number) return;
    const numberX = page.width - page.right - number.width * size;
    const lines = footerLines(left, numberX - page.left - 16);
    drawLine(number, numberX, { baseline: page.height - 40, size, color: faint });
    for (const [above, line] of lines.reverse().entries())
      drawLine(line, page.left, { baseline: page.height - 40 - above * 10.5, size, color: faint });
  }

  /** At most three lines, for which the foot of a page has room. The last one stays whole: it ends with the document's id. */
  function footerLines(text: string, width: number): Line[] {
    const lines = lay(text, 'plain', 8, width);
    const last = lines.at(-1);
    if (lines.length <= 3 || !last) return lines;
    const dots = lay('…', 'plain', 8, width)[0]?.pieces ?? [];
    const [first, second] = lay(text, 'plain', 8, width - 8) as [Line, Line];
    return [first, { ...second, pieces: [...second.pieces, ...dots] }, last];
  }

  return writer;
}

/** The library puts the title and the names into the XML metadata as they are. */
function escapeMetadata(doc: PDFKit.PDFDocument): void {
  const internals = doc as unknown as { info: Record<string, unknown>; _addInfo(): void };
  const addInfo = internals._addInfo.bind(doc);
  internals._addInfo = () => {
    const { info } = internals;
    internals.info = Object.fromEntries(
      Object.entries(info).map(([key, value]) => [key, typeof value === 'string' ? escapeXml(value) : value]),
    );
    addInfo();
    internals.info = info;
  };
}

const escapeXml = (text: string) =>
  text.replaceAll(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign);
