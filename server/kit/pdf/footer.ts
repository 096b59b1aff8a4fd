import { drawLine } from './draw-line.ts';
import { columnWidth, faint, pageDimensions, type PageFlow } from './page-flow.ts';
import type { Structure } from './structure.ts';
import type { Line } from './text.ts';

export interface Footer {
  left: string;
  page: (n: number, of: number) => string;
  firstPage?: number;
  pages?: number;
}

const size = 8;

/** Writes the footer of every page. */
export function writeFooters(flow: PageFlow, { artifact }: Structure, footer: Footer): void {
  const count = flow.pageNumber();
  for (let i = 0; i < count; i++) {
    flow.doc.switchToPage(i);
    const number = (footer.firstPage ?? 1) + i;
    artifact(() => writeFooter(flow, footer.left, footer.page(number, footer.pages ?? count)), 'Pagination');
  }
}

function writeFooter(flow: PageFlow, left: string, right: string): void {
  const [number] = flow.lay(right, 'plain', size, columnWidth);
  if (!number) return;
  const numberX = pageDimensions.width - pageDimensions.right - number.width * size;
  const lines = footerLines(flow, left, numberX - pageDimensions.left - 16);
  const baseline = pageDimensions.height - 40;
  drawLine(flow.doc, number, numberX, { baseline, size, color: faint });
  for (const [above, line] of lines.reverse().entries())
    drawLine(flow.doc, line, pageDimensions.left, { baseline: baseline - above * 10.5, size, color: faint });
}

/** At most three lines, because the bottom margin has room for three. The last line is never shortened: it ends with the document's id. */
function footerLines({ lay }: PageFlow, text: string, width: number): Line[] {
  const lines = lay(text, 'plain', size, width);
  const last = lines.at(-1);
  if (lines.length <= 3 || !last) return lines;
  const dots = lay('…', 'plain', size, width)[0]?.pieces ?? [];
  const [first, second] = lay(text, 'plain', size, width - 8) as [Line, Line];
  return [first, { ...second, pieces: [...second.pieces, ...dots] }, last];
}
