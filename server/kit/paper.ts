import { PDFDocument, rgb, type PDFImage, type PDFPage } from 'pdf-lib';
import { lettersOf, type Letters } from './paper-fonts.ts';

/** US Letter and its margins, in points. */
const page = { width: 612, height: 792, left: 64, right: 64, top: 68, bottom: 72 };
const ink = rgb(0.1, 0.12, 0.16);
const faint = rgb(0.38, 0.41, 0.46);

/** A place on a page: page counted from 1, points from its lower left corner. */
export interface Place {
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

type TextFace = 'plain' | 'bold' | 'hand';

interface Look {
  face?: TextFace;
  size?: number;
  indent?: number;
  after?: number;
  /** What stands in the indent: a clause's number. */
  mark?: string;
  /** In the fainter color of labels. */
  quiet?: boolean;
}

/** A text document being written from the top down; pages begin by themselves. */
export interface Paper {
  title(text: string): void;
  heading(text: string): void;
  paragraph(text: string, look?: Look): void;
  /** Label and value in two columns; a long word such as a hash is set smaller. */
  facts(rows: readonly (readonly [string, string])[]): void;
  gap(points: number): void;
  /** What follows, so many points high, begins a new page rather than being cut. */
  keep(points: number): void;
  newPage(): void;
  /** Keeps a box of this height together and empty, with a line at its foot and words under it; answers where it is. */
  field(label: string, options: { width: number; height: number }): Place;
  /** A picture in its own proportions, no larger than this, kept on one page. */
  picture(image: PDFImage, most: { width: number; height: number; indent?: number }): void;
  /** Whether a question mark stands where a letter should be. */
  lacksLetters(): boolean;
  readonly pdf: PDFDocument;
}

/**
 * What a paper is written on: a new document, or one that is there already (its pages stay as they are). `text` is everything that
 * will be written, in any order: it says which letters are needed; `handwritten` says so of what is written by hand.
 */
export async function openPaper(pdf: PDFDocument, text?: string, handwritten?: string): Promise<Paper> {
  const letters: Record<TextFace, Letters> = {
    plain: await lettersOf(pdf, 'plain', text),
    bold: await lettersOf(pdf, 'bold', text),
    hand: handwritten === undefined ? await lettersOf(pdf, 'plain', text) : await lettersOf(pdf, 'hand', handwritten),
  };
  let sheet: PDFPage | null = null;
  let y = 0;

  const newPage = () => {
    sheet = pdf.addPage([page.width, page.height]);
    y = page.height - page.top;
    return sheet;
  };
  const room = (height: number): PDFPage => (sheet && y - height >= page.bottom ? sheet : newPage());

  const line = (text: string, x: number, size: number, face: TextFace, color = ink) => {
    const on = room(size * 1.45);
    y -= size * 1.45;
    drawRuns(on, letters[face], text, { x, y, size, color });
  };
  const paragraph = (text: string, look: Look = {}) => {
    const { face = 'plain', size = 10, indent = 0, after = 6, mark, quiet = false } = look;
    const color = quiet ? faint : ink;
    const x = page.left + indent;
    const lines = wrap(letters[face], text, size, page.width - page.right - x);
    // No line of a paragraph stands alone at the foot of a page.
    if (lines.length > 1) room(size * 1.45 * 2);
    for (const [i, words] of lines.entries()) {
      line(words, x, size, face, color);
      if (i === 0 && mark && sheet) {
        const markX = x - letters[face].width(`${mark} `, size) - 3;
        drawRuns(sheet, letters[face], mark, { x: markX, y, size, color });
      }
    }
    y -= after;
  };

  return {
    pdf,
    lacksLetters: () => Object.values(letters).some((face) => face.lacks()),
    title: (text) => paragraph(text, { face: 'bold', size: 19, after: 10 }),
    heading(text) {
      y -= 8;
      room(60); // a heading stays with what it heads
      paragraph(text, { face: 'bold', size: 12, after: 3 });
    },
    paragraph,
    facts(rows) {
      for (const [label, value] of rows) {
        const column = page.width - page.right - page.left - 150;
        const size = /\S{60}/.test(value) ? 8.5 : 9.5;
        const lines = wrap(letters.plain, value, size, column);
        const on = room(14);
        const top = y;
        drawRuns(on, letters.plain, label, { x: page.left, y: top - size * 1.45, size: 9.5, color: faint });
        for (const words of lines) line(words, page.left + 150, size, 'plain');
        y -= 3;
      }
      y -= 6;
    },
    gap: (points) => void (y -= points),
    keep: (points) => void room(Math.min(points, page.height - page.top - page.bottom)),
    newPage: () => void newPage(),
    field(label, { width, height }) {
      const on = room(height + 26);
      y -= height;
      const place = { page: pdf.getPageCount(), x: page.left, y, width, height };
      on.drawLine({ start: { x: page.left, y }, end: { x: page.left + width, y }, thickness: 0.75, color: faint });
      y -= 12;
      drawRuns(on, letters.plain, label, { x: page.left, y, size: 8.5, color: faint });
      y -= 14;
      return place;
    },
    picture(image, { width, height, indent = 0 }) {
      const { width: w, height: h } = image.scaleToFit(
        Math.min(width, page.width - page.left - page.right - indent),
        height,
      );
      const on = room(h + 6);
      y -= h + 6;
      on.drawImage(image, { x: page.left + indent, y, width: w, height: h });
      y -= 8;
    },
  };
}

/** Writes `left` and the page's number at the foot of pages: of all, or of those whose index is given. */
export async function numberPages(
  pdf: PDFDocument,
  left: string,
  words: (n: number, of: number) => string,
  only?: readonly number[],
): Promise<void> {
  const plain = await lettersOf(pdf, 'plain', `${left}…`);
  const pages = pdf.getPages();
  for (const [i, on] of pages.entries()) {
    if (only && !only.includes(i)) continue;
    const right = words(i + 1, pages.length);
    const look = { y: 40, size: 8, color: faint };
    const rightX = page.width - page.right - plain.width(right, 8);
    for (const [above, line] of footLines(plain, left, rightX - page.left - 16)
      .reverse()
      .entries())
      drawRuns(on, plain, line, { ...look, y: look.y + above * 10.5, x: page.left });
    drawRuns(on, plain, right, { ...look, x: rightX });
  }
}

/** At most three lines, for which the foot of a page has room. The last one stays whole: it ends with the document's id. */
function footLines(letters: Letters, text: string, width: number): string[] {
  const lines = wrap(letters, text, 8, width);
  const [first = '', second = ''] = lines;
  const last = lines.at(-1) ?? '';
  return lines.length > 3 ? [first, ellipsized(letters, second, 8, width), last] : lines;
}

function ellipsized(letters: Letters, text: string, size: number, width: number): string {
  const most = width - letters.width('…', size);
  let used = 0;
  let fits = '';
  for (const letter of text.normalize('NFC')) {
    used += letters.width(letter, size);
    if (used > most) break;
    fits += letter;
  }
  return `${fits.trimEnd()}…`;
}

/** Draws one line of text, in as many fonts as it needs. */
export function drawRuns(
  on: PDFPage,
  letters: Letters,
  text: string,
  { x, ...look }: { x: number; y: number; size: number; color: ReturnType<typeof rgb> },
): void {
  const runs = letters.runs(text);
  for (const [i, run] of runs.entries()) {
    on.drawText(run.text, { ...look, x, font: run.font });
    if (i < runs.length - 1) x += run.font.widthOfTextAtSize(run.text, look.size);
  }
}

/** Cuts a text into lines no wider than `width`; a word that is wider by itself is cut too. */
function wrap(letters: Letters, text: string, size: number, width: number): string[] {
  const space = letters.width(' ', size);
  const lines: string[] = [];
  let now = '';
  let used = 0;
  for (let word of text.split(/\s+/)) {
    let wide = letters.width(word, size);
    if (now !== '' && used + space + wide <= width) {
      now += ` ${word}`;
      used += space + wide;
      continue;
    }
    if (now !== '') lines.push(now);
    if (wide > width) {
      const pieces = cutWord(letters, word, size, width);
      word = pieces.pop() ?? '';
      lines.push(...pieces);
      wide = letters.width(word, size);
    }
    now = word;
    used = wide;
  }
  lines.push(now);
  return lines;
}

/** A word in pieces that fit, each letter measured once: a patient may type 10,000 letters without a space. */
function cutWord(letters: Letters, word: string, size: number, width: number): string[] {
  const pieces = [''];
  let used = 0;
  for (const letter of word.normalize('NFC')) {
    const wide = letters.width(letter, size);
    if (used + wide > width && used > 0) {
      pieces.push('');
      used = 0;
    }
    pieces[pieces.length - 1] += letter;
    used += wide;
  }
  return pieces;
}
