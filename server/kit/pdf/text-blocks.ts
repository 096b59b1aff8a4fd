import type { Face } from './fonts.ts';
import { columnWidth, faint, ink, lineHeight, pageDimensions, type PageFlow } from './page-flow.ts';
import type { DrawnLine } from './draw-line.ts';
import type { Structure, TextContent } from './structure.ts';
import type { Line } from './text.ts';

export interface TextLook {
  face?: Face;
  size?: number;
  indent?: number;
  /** Space below. */
  after?: number;
  /** In the fainter color of labels. */
  quiet?: boolean;
}

/** Lines from the current position downward, continued on new pages where needed. */
export function flowing(
  flow: PageFlow,
  lines: readonly Line[],
  x: number,
  size: number,
  color: string,
  column = pageDimensions.width - pageDimensions.right - x,
): TextContent {
  return {
    lines,
    x,
    draw: {
      before: () => flow.reserve(size * lineHeight),
      at: () => ({ baseline: (flow.y += size * lineHeight), size, color, column }),
    },
  };
}

/** One line at a fixed position. */
export function fixedLine(line: Line, x: number, at: DrawnLine): TextContent {
  return { lines: [line], x, draw: { at: () => at } };
}

/** The title, headings and paragraphs of a document. */
export function openTexts(flow: PageFlow, { element }: Structure) {
  let headingLevel = 1;

  const paragraph = (type: string, text: string, look: TextLook = {}) => {
    const { face = 'plain', size = 10, indent = 0, after = 6, quiet = false } = look;
    const x = pageDimensions.left + indent;
    const lines = flow.lay(text, face, size, pageDimensions.width - pageDimensions.right - x);
    // The first two lines of a paragraph stay on one page.
    flow.reserve(size * lineHeight * Math.min(lines.length, 2));
    element(type, {}, flowing(flow, lines, x, size, quiet ? faint : ink));
    flow.y += after;
  };

  return {
    title: (text: string) => paragraph('H1', text, { face: 'bold', size: 19, after: 10 }),
    heading(text: string, level = 1) {
      headingLevel = Math.min(level + 1, headingLevel + 1, 6);
      flow.y += 8;
      flow.reserve(60); // keeps a heading on the same page as its text
      paragraph(`H${headingLevel}`, text, { face: 'bold', size: 12, after: 3 });
    },
    paragraph: (text: string, look?: TextLook) => paragraph('P', text, look),
  };
}

export function writeList(
  flow: PageFlow,
  { element, container }: Structure,
  items: readonly { mark: string; text: string }[],
  look: TextLook = {},
): void {
  const { face = 'plain', size = 10, indent = 0, after = 6 } = look;
  const x = pageDimensions.left + indent;
  const writeItem = ({ mark, text }: { mark: string; text: string }) => {
    const lines = flow.lay(text, face, size, pageDimensions.width - pageDimensions.right - x);
    flow.reserve(size * lineHeight * Math.min(lines.length, 2));
    const [label] = flow.lay(mark, face, size, columnWidth);
    const markAt = { baseline: flow.y + size * lineHeight, size, color: ink };
    if (label) element('Lbl', {}, fixedLine(label, x - 5 - label.width * size, markAt));
    element('LBody', {}, flowing(flow, lines, x, size, ink));
    flow.y += after;
  };
  container('L', () => {
    for (const item of items) container('LI', () => writeItem(item));
  });
}

/** A table of two columns: label and value. */
export function writeFacts(
  flow: PageFlow,
  { element, container }: Structure,
  rows: readonly (readonly [string, string])[],
): void {
  const writeRow = (label: string, value: string) => {
    const size = /\S{60}/.test(value) ? 8.5 : 9.5;
    const lines = flow.lay(value, 'plain', size, columnWidth - 150);
    const labels = flow.lay(label, 'plain', 9.5, 140);
    flow.reserve(14 * labels.length);
    const top = flow.y;
    element('TH', { scope: 'Row' }, flowing(flow, labels, pageDimensions.left, 9.5, faint, 140));
    const labelFoot = flow.y;
    flow.y = top;
    const pages = flow.pageNumber();
    element('TD', {}, flowing(flow, lines, pageDimensions.left + 150, size, ink));
    if (flow.pageNumber() === pages) flow.y = Math.max(flow.y, labelFoot);
    flow.y += 3;
  };
  container('Table', () => {
    for (const [label, value] of rows) container('TR', () => writeRow(label, value));
  });
  flow.y += 6;
}
