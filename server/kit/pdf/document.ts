import { buffer } from 'node:stream/consumers';
import PDFKit from 'pdfkit';
import { writePicture, writeSignatureBox, writeStroke, writeTextAt, type Box } from './figures.ts';
import { createFontFinder, type Face } from './fonts.ts';
import { writeFooters, type Footer } from './footer.ts';
import { openPageFlow, pageDimensions } from './page-flow.ts';
import { openStructure } from './structure.ts';
import { openTexts, writeFacts, writeList, type TextLook } from './text-blocks.ts';

export type { Box };

export interface PdfInfo {
  title: string;
  author?: string;
  subject?: string;
  /** Program that wrote the PDF. */
  product: string;
  language: string;
  /** The date of creation; now by default. The same content with the same date gives the same bytes. */
  date?: Date;
  /** An overlay has no tags: it is stamped onto a page of another PDF, where it is tagged as one figure. */
  isOverlay?: boolean;
  /** The document's texts. They decide between Chinese, Japanese, and Korean fonts. */
  documentText?: string;
}

/** Writes a text document from top to bottom, tagged for screen readers (PDF/UA-1). Starts a new page when one is full. */
export interface PdfWriter {
  title(text: string): void;
  /** `level` 1 is the first level below the title. A level is never skipped: a deeper one becomes the level below the previous heading. */
  heading(text: string, level?: number): void;
  paragraph(text: string, look?: TextLook): void;
  /** A list. Each mark (a bullet, a clause's number) is drawn to the left of its text, in the indent. */
  list(items: readonly { mark: string; text: string }[], look?: TextLook): void;
  /** A table of two columns: label and value. */
  facts(rows: readonly (readonly [string, string])[]): void;
  gap(points: number): void;
  /** Starts a new page if fewer than `points` are left on this one, so that the next `points` stay together. */
  reserve(points: number): void;
  /** Tags everything `write` writes as one group, such as a question and its answers. */
  group(write: () => void): void;
  newPage(): void;
  /** An empty box for a signature, with a line at the bottom and a label below the line. */
  signatureBox(label: string, size: { width: number; height: number }): Box;
  /** A picture that keeps its proportions, no larger than `size`. `alt` describes it for screen readers. */
  picture(image: Buffer, alt: string, size: { width: number; height: number; indent?: number }): void;
  /** One line of text at a fixed position, shrunk to fit `width`. `y` is the baseline, measured from the bottom of the page. */
  textAt(text: string, at: { x: number; y: number; size: number; width?: number; face?: Face; color?: string }): void;
  /** A line through these points, measured from the page's lower left corner. */
  stroke(points: readonly (readonly [number, number])[], look: { width: number; color: string }): void;
  /** Writes the footer of every page and ends the document. */
  finish(footer?: Footer): Promise<Buffer>;
}

export function createPdf(info: PdfInfo): PdfWriter {
  const doc = openDocument(info);
  const bytes = buffer(doc);
  const fonts = createFontFinder(info.documentText ?? '');
  const structure = openStructure(doc, info.isOverlay ?? false);
  const flow = openPageFlow(doc, fonts);
  const { height, top, bottom } = pageDimensions;

  return {
    ...openTexts(flow, structure),
    list: (items, look) => writeList(flow, structure, items, look),
    facts: (rows) => writeFacts(flow, structure, rows),
    gap: (points) => void (flow.y += points),
    reserve: (points) => flow.reserve(Math.min(points, height - top - bottom)),
    group: (write) => structure.container('Div', write),
    newPage: flow.newPage,
    signatureBox: (label, size) => writeSignatureBox(flow, structure, label, size),
    picture: (image, alt, size) => writePicture(flow, structure, image, alt, size),
    textAt: (text, at) => writeTextAt(flow, structure, text, at),
    stroke: (points, look) => writeStroke(flow, structure, points, look),
    finish(footer) {
      if (footer) writeFooters(flow, structure, footer);
      doc.end();
      return bytes;
    },
  };
}

function openDocument(info: PdfInfo): PDFKit.PDFDocument {
  const date = info.date ?? new Date();
  const doc = new PDFKit({
    size: [pageDimensions.width, pageDimensions.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA' as never, // missing in the types
    tagged: true,
    displayTitle: true,
    lang: info.language,
    // PDFKit would load a standard font, which it does not embed. PDF/UA requires that every font is embedded.
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
  return doc;
}

/** PDFKit writes the title and names into the XML metadata unescaped, so an `&` would break it. Escapes them for that call only. */
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
