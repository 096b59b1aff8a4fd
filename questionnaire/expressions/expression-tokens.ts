/** A piece of a FHIRPath expression. */
export interface Token {
  /** A text in quotes, an identifier, an environment variable (`%name`), or anything else: a number, an operator, a bracket. */
  kind: 'text' | 'name' | 'variable' | 'other';
  /** A text without its quotes, a variable without its percent sign. */
  value: string;
  from: number;
  to: number;
}

const pieces =
  /(?<skipped>\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*)|(?<text>'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*")|(?<variable>%(?:`(?:\\[\s\S]|[^`\\])*`|'(?:\\[\s\S]|[^'\\])*'|[A-Za-z_]\w*))|(?<name>`(?:\\[\s\S]|[^`\\])*`|[A-Za-z_]\w*)|@[\dT:.+Z-]+|\$\w+|\d+(?:\.\d+)?|[\s\S]/g;

/** Cuts an expression into its pieces, without spaces and comments. Never throws: what is not FHIRPath becomes `other`. */
export function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: piece, index, groups = {} } of expression.matchAll(pieces)) {
    if (groups['skipped'] !== undefined) continue;
    const at = { from: index, to: index + piece.length };
    if (groups['text'] !== undefined) tokens.push({ kind: 'text', value: unquote(piece), ...at });
    else if (groups['variable'] !== undefined) tokens.push({ kind: 'variable', value: unquote(piece.slice(1)), ...at });
    else if (groups['name'] !== undefined) tokens.push({ kind: 'name', value: unquote(piece), ...at });
    else tokens.push({ kind: 'other', value: piece, ...at });
  }
  return tokens;
}

function unquote(piece: string): string {
  if (!/^['"`]/.test(piece)) return piece;
  return piece.slice(1, -1).replace(/\\(u[\da-fA-F]{4}|[\s\S])/g, (_, escaped: string) => {
    if (escaped.length === 5) return String.fromCharCode(parseInt(escaped.slice(1), 16));
    return { n: '\n', r: '\r', t: '\t', f: '\f' }[escaped] ?? escaped;
  });
}
