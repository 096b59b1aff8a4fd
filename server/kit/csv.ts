/** A CSV begins with a byte order mark, so that spreadsheets read it as UTF-8. */
export const csvStart = '\uFEFF';

export const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;

/**
 * A spreadsheet reads a cell that begins with one of these as a formula; an apostrophe before it makes it text. Plain numbers, also negative
 * ones, stay numbers. Where lists are separated in another way (`;` in much of Europe, tabs), quotes do not keep a cell together, so that what
 * would end it becomes a space.
 */
function csvCell(given: string): string {
  const text = given.replace(/[;\t\r\n]+/g, ' ');
  const isFormula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
