/** Longer expressions are not evaluated. */
const longestExpression = 4000;
/** How deep calls that evaluate their argument once per element may be nested. Each level multiplies: ten elements at depth 10 are 10¹⁰ steps. */
const deepestLoop = 5;
/** The parser is recursive. */
const deepestParentheses = 60;

const loops = new Set(['where', 'select', 'all', 'exists', 'any', 'repeat', 'repeatAll', 'aggregate', 'sort']);

export type ExpressionFlaw = 'expression_too_large' | 'expression_endless';

/**
 * Estimates a FHIRPath expression's cost without evaluating it. This catches the simple ways to write an expression that runs for hours; the
 * deadline of the worker catches the others.
 */
export function expressionFlaw(expression: string): ExpressionFlaw | undefined {
  if (expression.length > longestExpression) return 'expression_too_large';
  const code = withoutTexts(expression);
  const open: { name: string; from: number }[] = [];
  for (const { 0: token, index } of code.matchAll(/(?:[A-Za-z_]\w*\s*)?\(|\)/g)) {
    if (token === ')') {
      const call = open.pop();
      if (call && call.name.startsWith('repeat') && makesValues(code.slice(call.from, index)))
        return 'expression_endless';
      continue;
    }
    open.push({ name: token.slice(0, -1).trim(), from: index + token.length });
    if (open.length > deepestParentheses) return 'expression_too_large';
    if (open.filter(({ name }) => loops.has(name)).length > deepestLoop) return 'expression_too_large';
  }
  return undefined;
}

/** `repeat` ends where it finds nothing new. Arithmetic finds something new forever: `(0).repeat($this + 1)`. */
const makesValues = (argument: string) =>
  /[+*/&-]|\b(?:div|mod|now|timeOfDay|power|exp|replace|join|encode|combine)\b/.test(argument);

/** Without texts in quotes, names in backticks and comments, which may hold anything. */
function withoutTexts(expression: string): string {
  return expression.replace(
    /'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"|`(?:\\[\s\S]|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    "''",
  );
}

/** How large the result of one step may be, and the results of all steps of one evaluation. */
const longestList = 100_000;
const longestText = 1_000_000;
const mostInAll = 20_000_000;

/** An expression makes more values or longer texts than any form needs. */
export class ResultTooLarge extends Error {
  override readonly name = 'ResultTooLarge';
}

/**
 * Looks at each step's result and throws `ResultTooLarge`. A text that doubles in every step costs nothing until something needs it in one
 * piece, and then its process is out of memory.
 */
export function limitResults() {
  let inAll = 0;
  return {
    begin: () => (inAll = 0),
    look(result: unknown): void {
      if (!Array.isArray(result)) return;
      const textLength = result.length === 1 ? lengthOfText(result[0]) : 0;
      inAll += result.length + textLength;
      if (result.length > longestList || textLength > longestText || inAll > mostInAll) throw new ResultTooLarge();
    },
  };
}

function lengthOfText(value: unknown): number {
  const text = typeof value === 'string' ? value : (value as { data?: unknown } | null | undefined)?.data;
  return typeof text === 'string' ? text.length : 0;
}
