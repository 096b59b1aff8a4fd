import { peek, refuse, skip, takeCharacter, takeMatch, takeUnit, type PatternSource } from './pattern-source.ts';

/** Does one character fit? */
export type CharacterTest = (character: string) => boolean;

export const isCharacter =
  (expected: string): CharacterTest =>
  (character) =>
    character === expected;

/** `.` */
export const isNotLineBreak: CharacterTest = (character) => character !== '\n' && character !== '\r';

const classes: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: /\s/ };
const controlCharacters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };

/** Reads what follows `[`, including the closing bracket. */
export function readSet(source: PatternSource): CharacterTest {
  const isNegated = skip(source, '^');
  const tests: CharacterTest[] = [];
  while (!skip(source, ']')) tests.push(readRange(source));
  return (character) => tests.some((test) => test(character)) !== isNegated;
}

/** A member of a set, or a range such as `a-z`. */
function readRange(source: PatternSource): CharacterTest {
  const low = readMember(source);
  if (typeof low !== 'string') return low;
  if (peek(source) !== '-' || source.text[source.at + 1] === ']') return isCharacter(low);
  skip(source, '-');
  const high = readMember(source);
  if (typeof high !== 'string' || high < low) return refuse();
  return (character) => character >= low && character <= high;
}

function readMember(source: PatternSource): string | CharacterTest {
  const character = takeCharacter(source);
  if (character !== '\\') return character;
  return /[dDwWsS]/.test(peek(source) ?? '') ? readEscape(source) : readEscapedCharacter(source);
}

/** Reads what follows a backslash. */
export function readEscape(source: PatternSource): CharacterTest {
  const letter = peek(source) ?? '';
  const known = classes[letter.toLowerCase()];
  if (!known) return isCharacter(readEscapedCharacter(source));
  skip(source, letter);
  const isNegated = letter !== letter.toLowerCase();
  return (character) => known.test(character) !== isNegated;
}

/** A control character, a code such as `\x41` or `\u00e9`, or a character that otherwise means something. */
function readEscapedCharacter(source: PatternSource): string {
  const code = takeMatch(source, /^(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4}))/);
  if (code) return String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? '', 16));
  const unit = takeUnit(source);
  return controlCharacters[unit] ?? (/[A-Za-z0-9]/.test(unit) ? refuse() : unit);
}
