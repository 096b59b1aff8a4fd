import { match } from './pattern-matcher.ts';
import { parsePattern } from './pattern-parser.ts';
import { buildStates, TooLarge } from './pattern-states.ts';

/**
 * Whether a whole text fits a pattern; undefined if finding out would take too much work. A native RegExp could be made to run for hours
 * by whoever wrote the form.
 */
export type Pattern = (text: string) => boolean | undefined;

export type PatternFlaw = 'too_large' | 'not_understood';

/** Reads a regular expression; null if it uses what is not supported (look-around, back-references, flags) or is too large. */
export function readPattern(source: string): Pattern | null {
  const pattern = buildPattern(source);
  return typeof pattern === 'string' ? null : pattern;
}

/** Why a pattern is not used; undefined if it is used. */
export function patternFlaw(source: string): PatternFlaw | undefined {
  const pattern = buildPattern(source);
  return typeof pattern === 'string' ? pattern : undefined;
}

function buildPattern(source: string): Pattern | PatternFlaw {
  try {
    const machine = buildStates(parsePattern(source.normalize('NFC')));
    return (text) => {
      const fits = match(machine, text);
      const composed = text.normalize('NFC');
      return fits === false && composed !== text ? match(machine, composed) : fits;
    };
  } catch (error) {
    // Anything else that is thrown, a stack overflow too, comes from the source.
    return error instanceof TooLarge ? 'too_large' : 'not_understood';
  }
}
