import type { Face } from './fonts.ts';
import { columnWidth, drawShape, faint, ink, lineHeight, pageDimensions, type PageFlow } from './page-flow.ts';
import type { Structure } from './structure.ts';
import { fixedLine, flowing } from './text-blocks.ts';

/** A rectangle on a page. Page numbers start at 1; `x` and `y` are points from the page's lower left corner. */
export interface Box {
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

/** A method of PDFKit that its types do not declare. */
interface ImageOpener {
  openImage(bytes: Uint8Array): Size;
}

/** Reserves an empty box for a signature, with a line at the bottom and a label below the line. Returns its position. */
export function writeSignatureBox(
  flow: PageFlow,
  { element, artifact }: Structure,
  label: string,
  { width, height }: Size,
): Box {
  const { left } = pageDimensions;
  flow.reserve(height + 26);
  flow.y += height;
  const box = { page: flow.pageNumber(), x: left, y: pageDimensions.height - flow.y, width, height };
  artifact(() => drawShape(flow.doc, () => drawRule(flow.doc, left, flow.y, width)));
  flow.y += 12 - 8.5 * lineHeight;
  element('P', {}, flowing(flow, flow.lay(label, 'plain', 8.5, columnWidth), left, 8.5, faint));
  flow.y += 14;
  return box;
}

function drawRule(doc: PDFKit.PDFDocument, x: number, at: number, width: number): void {
  doc
    .lineWidth(0.75)
    .strokeColor(faint)
    .moveTo(x, at)
    .lineTo(x + width, at)
    .stroke();
}

/** Draws a picture that keeps its proportions, no larger than `width` by `height`. */
export function writePicture(
  flow: PageFlow,
  { element }: Structure,
  image: Buffer,
  alt: string,
  { width, height, indent = 0 }: Size & { indent?: number },
): void {
  const { doc } = flow;
  // Copied, because PDFKit reads a Buffer's underlying memory from its start, where other data may be.
  const opened = (doc as unknown as ImageOpener).openImage(new Uint8Array(image));
  const scale = Math.min(Math.min(width, columnWidth - indent) / opened.width, height / opened.height);
  const [w, h] = [opened.width * scale, opened.height * scale];
  flow.reserve(h + 6);
  flow.y += 6;
  const x = pageDimensions.left + indent;
  const { y } = flow;
  element('Figure', { alt, bbox: [x, y, x + w, y + h] }, () =>
    drawShape(doc, () => doc.image(opened as never, x, y, { width: w, height: h })),
  );
  flow.y += h + 8;
}

/** Draws one line of text at a fixed position, shrunk to fit `width`. `y` is the baseline, measured from the bottom of the page. */
export function writeTextAt(
  flow: PageFlow,
  { element }: Structure,
  text: string,
  at: { x: number; y: number; size: number; width?: number; face?: Face; color?: string },
): void {
  const { x, y, size, width, face = 'plain', color = ink } = at;
  const [line] = flow.lay(text, face, 1, Infinity);
  if (!line) return;
  const fitting = width === undefined ? size : Math.min(size, width / line.width);
  if (!flow.doc.page) flow.newPage();
  element('P', {}, fixedLine(line, x, { baseline: pageDimensions.height - y, size: fitting, color }));
}

/** Draws a line through these points, measured from the page's lower left corner. */
export function writeStroke(
  flow: PageFlow,
  { artifact }: Structure,
  points: readonly (readonly [number, number])[],
  { width, color }: { width: number; color: string },
): void {
  const { doc } = flow;
  if (!doc.page) flow.newPage();
  // Like text, this is drawn without flipping the page, so the points are used as they are.
  artifact(() => {
    doc.lineWidth(width).lineCap('round').lineJoin('round').strokeColor(color);
    for (const [i, [px, py]] of points.entries())
      if (i === 0) doc.moveTo(px, py).lineTo(px, py);
      else doc.lineTo(px, py);
    doc.stroke();
  });
}
