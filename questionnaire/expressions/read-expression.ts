import { tokensOf, type Token } from './expression-tokens.ts';

/** Which answers an expression may read: those of items with these linkIds, or whose linkIds begin so, and everything below them. */
export interface Reads {
  linkIds: ReadonlySet<string>;
  prefixes: ReadonlySet<string>;
  /** It may read any answer. */
  all: boolean;
  /** It may read any answer in its context, and below. */
  context: boolean;
}

/** What can be known about an expression without evaluating it. */
export interface ReadExpression {
  /**
   * The expression with each path from the response to an item (`%resource.item.where(linkId='a')`) replaced by a variable. Hundreds of
   * calculations of one shape then share one template, which is parsed once.
   */
  template: string;
  /** The linkIds on each replaced path; the first belongs to the variable `pathVariable(0)`. */
  paths: readonly (readonly string[])[];
  /** The environment variables it uses (`%name`), without those it defines itself. */
  names: readonly string[];
  reads: Reads;
}

/** The variable that replaces a path. */
export const pathVariable = (nth: number) => `_path${nth}`;

const readExpressions = new Map<string, ReadExpression>();

/** Reads an expression; the result is remembered. */
export function readExpression(expression: string): ReadExpression {
  let read = readExpressions.get(expression);
  if (!read) {
    if (readExpressions.size >= 5000) readExpressions.clear();
    readExpressions.set(expression, (read = analyze(expression)));
  }
  return read;
}

const responseNames: readonly string[] = ['resource', 'rootResource'];
const responseType = 'QuestionnaireResponse';
const steps: readonly string[] = ['item', 'answer', 'children', 'descendants', 'repeat', 'repeatAll'];

function analyze(expression: string): ReadExpression {
  const tokens = tokensOf(expression);
  const linkIds = new Set<string>();
  const prefixes = new Set<string>();
  const names = new Set<string>();
  const defined = new Set<string>();
  const paths: string[][] = [];
  let all = false;
  let context = false;
  let template = '';
  let copied = 0;

  for (let i = 0; i < tokens.length;) {
    const chain = readChain(tokens, i);
    if (chain) {
      for (const linkId of chain.linkIds) linkIds.add(linkId);
      for (const prefix of chain.prefixes) prefixes.add(prefix);
      if (chain.path) {
        template += `${expression.slice(copied, tokens[i]?.from)}%${pathVariable(nthOf(paths, chain.path))}`;
        copied = tokens[chain.end - 1]?.to ?? 0;
      }
      i = chain.end;
      continue;
    }
    const token = tokens[i] as Token;
    if (isResponseAt(tokens, i)) all = true;
    else if (isContextAt(tokens, i)) context = true;
    else if (token.kind === 'variable') names.add(token.value);
    else if (token.kind === 'name' && token.value === 'defineVariable') defined.add(tokens[i + 2]?.value ?? '');
    i += 1;
  }
  template += expression.slice(copied);
  return {
    template,
    paths,
    names: [...names].filter((name) => !defined.has(name)),
    reads: { linkIds, prefixes, all, context },
  };
}

/** Whether a token that begins no readable path is the response, from which any item can be reached. */
function isResponseAt(tokens: readonly Token[], at: number): boolean {
  const { kind, value } = tokens[at] as Token;
  if (kind === 'variable') return responseNames.includes(value);
  return kind === 'name' && value === responseType && !isOther(tokens[at - 1], '.');
}

/** Whether a token that begins no readable path may lead to any item below the context. */
function isContextAt(tokens: readonly Token[], at: number): boolean {
  const { kind, value } = tokens[at] as Token;
  if (kind === 'variable') return value === 'context';
  if (kind === 'name') return !isOther(tokens[at - 1], '.') && steps.includes(value);
  return value === '$this' && isStep(tokens, at + 1);
}

function nthOf(paths: string[][], path: string[]): number {
  const key = JSON.stringify(path);
  const known = paths.findIndex((one) => JSON.stringify(one) === key);
  return known >= 0 ? known : paths.push(path) - 1;
}

interface Chain {
  /** The index behind its last token. */
  end: number;
  linkIds: string[];
  prefixes: string[];
  /** The linkIds of the items it goes through, if it begins at the response and names one item in each step. */
  path: string[] | undefined;
}

/** Steps from an item to others of which each is chosen by its linkId: `item.where(linkId='a').item.where(linkId='b')`. */
function readChain(tokens: readonly Token[], from: number): Chain | undefined {
  const first = tokens[from];
  const isResponse = first?.kind === 'variable' && responseNames.includes(first.value);
  const isRoot = isResponse || isContext(tokens, from);
  // Without a root it begins with a step, or goes on behind something else.
  let end = isRoot ? from + 1 : from;
  let last: Condition | undefined;
  let path: string[] | undefined = isResponse ? [] : undefined;
  for (;;) {
    const step = readStep(tokens, end, !isRoot && end === from && first?.value !== '.');
    if (!step) break;
    last = step.condition;
    const only = step.isPlain && last.linkIds.length === 1 && last.prefixes.length === 0 ? last.linkIds[0] : undefined;
    path = path && only !== undefined && last.isClosed ? [...path, only] : undefined;
    end = step.end;
    if (!last.isClosed) break;
  }
  return last && { end, linkIds: last.linkIds, prefixes: last.prefixes, path };
}

/** The names of what an expression begins at, other than the response. */
function isContext(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind === 'variable') return token.value === 'context';
  if (token?.kind === 'name') return token.value === responseType && !isOther(tokens[at - 1], '.');
  return isOther(token, '$this');
}

interface Condition {
  end: number;
  linkIds: string[];
  prefixes: string[];
  /** The condition ends here; otherwise more of it follows. */
  isClosed: boolean;
}

/** `.item.where(…)`, also with more than one move before the condition. Plain: one move, to `item`. */
function readStep(
  tokens: readonly Token[],
  from: number,
  isBare: boolean,
): { end: number; isPlain: boolean; condition: Condition } | undefined {
  let at = from;
  let moves = 0;
  let isPlain = true;
  for (; ; moves += 1) {
    const isFirstBare = isBare && moves === 0;
    if (!isFirstBare && !isOther(tokens[at], '.')) return undefined;
    const nameAt = isFirstBare ? at : at + 1;
    const name = tokens[nameAt];
    if (name?.kind !== 'name') return undefined;
    if (name.value === 'where') {
      if (moves === 0 || !isOther(tokens[nameAt + 1], '(')) return undefined;
      const condition = readCondition(tokens, nameAt + 2);
      return condition && { end: condition.end, isPlain: isPlain && moves === 1, condition };
    }
    if (!steps.includes(name.value)) return undefined;
    if (name.value !== 'item') isPlain = false;
    at = nameAt + 1;
    if (isOther(tokens[at], '(')) {
      const close = closingOf(tokens, at);
      if (close === undefined) return undefined;
      at = close + 1;
    }
  }
}

/** The end of `repeat(item)`; undefined if something else than moves is in the parentheses. */
function closingOf(tokens: readonly Token[], open: number): number | undefined {
  for (let i = open + 1; i < tokens.length; i++) {
    const { kind, value } = tokens[i] as Token;
    if (kind === 'other' && value === ')') return i;
    const isMove = kind === 'name' && (value === 'item' || value === 'answer');
    if (!isMove && !(kind === 'other' && (value === '.' || value === '|' || value === '$this'))) return undefined;
  }
  return undefined;
}

/** `linkId = 'a'`, several with `or`, `linkId in ('a' | 'b')` or `linkId.startsWith('a')`. What follows an `and` is left to the caller. */
function readCondition(tokens: readonly Token[], from: number): Condition | undefined {
  const linkIds: string[] = [];
  const prefixes: string[] = [];
  let at = from;
  for (;;) {
    const term = readTerm(tokens, at);
    if (!term) return undefined;
    (term.isPrefix ? prefixes : linkIds).push(...term.values);
    at = term.end;
    const next = tokens[at];
    if (isOther(next, ')')) return { end: at + 1, linkIds, prefixes, isClosed: true };
    if (next?.kind === 'name' && next.value === 'or') at += 1;
    // More than one alternative in front of an `and` is read differently than it looks.
    else if (next?.kind === 'name' && next.value === 'and' && linkIds.length + prefixes.length === 1)
      return hasOr(tokens, at) ? undefined : { end: at, linkIds, prefixes, isClosed: false };
    else return undefined;
  }
}

/** Whether the rest of the parentheses has an `or`, which would allow items with other linkIds. */
function hasOr(tokens: readonly Token[], from: number): boolean {
  let depth = 0;
  for (let i = from; i < tokens.length && depth >= 0; i++) {
    const { kind, value } = tokens[i] as Token;
    if (kind === 'other' && value === '(') depth += 1;
    if (kind === 'other' && value === ')') depth -= 1;
    if (depth === 0 && kind === 'name' && ['or', 'xor', 'implies'].includes(value)) return true;
  }
  return false;
}

interface Term {
  end: number;
  values: string[];
  isPrefix: boolean;
}

function readTerm(tokens: readonly Token[], at: number): Term | undefined {
  const [one, two, three] = tokens.slice(at, at + 3);
  const isLinkId = (token: Token | undefined) => token?.kind === 'name' && token.value === 'linkId';
  if (one?.kind === 'text' && isOther(two, '=') && isLinkId(three))
    return { end: at + 3, values: [one.value], isPrefix: false };
  if (!isLinkId(one)) return undefined;
  if (isOther(two, '=') && three?.kind === 'text') return { end: at + 3, values: [three.value], isPrefix: false };
  if (two?.kind === 'name' && two.value === 'in' && isOther(three, '(')) return readList(tokens, at + 3);
  const text = tokens[at + 4];
  const isPrefix = isOther(two, '.') && three?.kind === 'name' && three.value === 'startsWith' && text?.kind === 'text';
  return isPrefix && isOther(tokens[at + 5], ')') ? { end: at + 6, values: [text.value], isPrefix: true } : undefined;
}

function readList(tokens: readonly Token[], from: number): Term | undefined {
  const values: string[] = [];
  for (let at = from; ; at += 2) {
    const text = tokens[at];
    if (text?.kind !== 'text') return undefined;
    values.push(text.value);
    if (isOther(tokens[at + 1], ')')) return { end: at + 2, values, isPrefix: false };
    if (!isOther(tokens[at + 1], '|')) return undefined;
  }
}

const isOther = (token: Token | undefined, value: string) => token?.kind === 'other' && token.value === value;
const isStep = (tokens: readonly Token[], at: number) =>
  isOther(tokens[at], '.') && tokens[at + 1]?.kind === 'name' && steps.includes(tokens[at + 1]?.value ?? '');
