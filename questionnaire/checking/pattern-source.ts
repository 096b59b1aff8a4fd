/** The text of a regular expression, taken from left to right. */
export interface PatternSource {
  readonly text: string;
  /** How many UTF-16 units were taken. */
  at: number;
}

/** The expression uses what is not supported. */
export function refuse(): never {
  throw new Error('not understood');
}

/** The next UTF-16 unit, without taking it; undefined at the end. */
export const peek = ({ text, at }: PatternSource): string | undefined => text[at];

/** Takes the next UTF-16 unit if it is this one. */
export function skip(source: PatternSource, unit: string): boolean {
  if (peek(source) !== unit) return false;
  source.at += 1;
  return true;
}

export function takeUnit(source: PatternSource): string {
  const unit = peek(source) ?? refuse();
  source.at += 1;
  return unit;
}

/** Takes one whole character, which may be two UTF-16 units. */
export function takeCharacter(source: PatternSource): string {
  const character = String.fromCodePoint(source.text.codePointAt(source.at) ?? refuse());
  source.at += character.length;
  return character;
}

/** Takes what fits here. */
export function takeMatch(source: PatternSource, form: RegExp): RegExpExecArray | null {
  const found = form.exec(rest(source));
  source.at += found?.[0].length ?? 0;
  return found;
}

/** As much of the rest as any quantifier, code or name of a group needs. */
export const rest = ({ text, at }: PatternSource): string => text.slice(at, at + 40);
