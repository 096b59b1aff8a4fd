/** Texts, names, bodies of functions and comments, in which a semicolon ends nothing. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * The statements of a migration. Citus sends the text that a statement came in to the other nodes, and they refuse one with several. Texts
 * with backslashes (`E'…'`) and `begin atomic` are not understood.
 */
export function splitStatements(text: string): string[] {
  const blank = text.replaceAll(quoted, (part) => part.replaceAll(';', ' '));
  const statements: string[] = [];
  let start = 0;
  for (let end = blank.indexOf(';'); ; end = blank.indexOf(';', start)) {
    statements.push(text.slice(start, end < 0 ? undefined : end).trim());
    if (end < 0) break;
    start = end + 1;
  }
  return statements.filter((statement) => statement.replaceAll(/--[^\n]*/g, '').trim() !== '');
}
