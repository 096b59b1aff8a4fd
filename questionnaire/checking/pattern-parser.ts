import { isCharacter, isNotLineBreak, readEscape, readSet } from './pattern-characters.ts';
import { peek, refuse, rest, skip, takeCharacter, takeMatch, type PatternSource } from './pattern-source.ts';
import { anyOf, atEdge, inSequence, oneCharacter, manyOf, type PatternPart } from './pattern-states.ts';

/** Parses a regular expression. Throws if it uses what is not supported. */
export function parsePattern(text: string): PatternPart {
  const source: PatternSource = { text, at: 0 };
  const pattern = parseAlternatives(source);
  return source.at < text.length ? refuse() : pattern;
}

function parseAlternatives(source: PatternSource): PatternPart {
  const first = parseSequence(source);
  if (peek(source) !== '|') return first;
  const branches = [first];
  while (skip(source, '|')) branches.push(parseSequence(source));
  return anyOf(branches);
}

function parseSequence(source: PatternSource): PatternPart {
  const parts: PatternPart[] = [];
  for (let unit = peek(source); unit !== undefined && unit !== '|' && unit !== ')'; unit = peek(source))
    parts.push(parseQuantified(source));
  return inSequence(parts);
}

function parseQuantified(source: PatternSource): PatternPart {
  const part = parseAtom(source);
  const quantifier = takeMatch(source, /^(?:([*+?])|\{(\d{1,4})(,(\d{0,4}))?\})\??/);
  if (!quantifier) return part;
  if (/^(?:[*+?]|\{\d)/.test(rest(source))) refuse();
  const [, mark, from, comma, to] = quantifier;
  const least = mark ? (mark === '+' ? 1 : 0) : Number(from);
  const most = mark ? (mark === '?' ? 1 : Infinity) : comma ? (to ? Number(to) : Infinity) : least;
  return most < least ? refuse() : manyOf(part, least, most);
}

function parseAtom(source: PatternSource): PatternPart {
  const character = takeCharacter(source);
  switch (character) {
    case '(':
      return parseGroup(source);
    case '^':
      return atEdge('start');
    case '$':
      return atEdge('end');
    case '[': {
      const before = source.at;
      const test = readSet(source);
      return oneCharacter(test, source.at - before);
    }
    case '\\':
      return oneCharacter(readEscape(source));
    case '.':
      return oneCharacter(isNotLineBreak);
    default:
      return /[*+?]/.test(character) ? refuse() : oneCharacter(isCharacter(character));
  }
}

/** Reads what follows `(`, including the closing parenthesis. Names of groups mean nothing here. */
function parseGroup(source: PatternSource): PatternPart {
  if (peek(source) === '?' && !takeMatch(source, /^\?(?::|<[A-Za-z]\w*>)/)) refuse();
  const inside = parseAlternatives(source);
  return skip(source, ')') ? inside : refuse();
}
