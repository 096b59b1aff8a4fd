/** One row of a CSV file. */
export type CsvRow = readonly string[];

/** A CSV that spreadsheets open as text: with a byte order mark, and no cell starts a formula. */
export const csvOf = (rows: readonly CsvRow[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;

/**
 * A spreadsheet reads a cell that begins with one of these as a formula; an apostrophe before it makes it text. Where lists are separated in
 * another way (`;` in much of Europe, tabs), quotes do not keep a cell together, so that what would end it becomes a space.
 */
function cell(value: string): string {
  const text = value.replace(/[;\t\r\n]+/g, ' ');
  const safe = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
  return /[",']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
