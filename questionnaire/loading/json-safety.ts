import { limits } from '#questionnaire/questionnaire.ts';

/** What keeps a value of JSON from being kept and sent on: it is nested too deep, or holds a NUL or half a character. Never throws. */
export function flawOf(value: unknown, depth = 0): 'too_deep' | 'text_broken' | undefined {
  if (typeof value === 'string') return isWhole(value) ? undefined : 'text_broken';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= limits.depth) return 'too_deep';
  for (const [key, inner] of Object.entries(value)) {
    const flaw = isWhole(key) ? flawOf(inner, depth + 1) : 'text_broken';
    if (flaw) return flaw;
  }
  return undefined;
}

/** A text without the characters that no database keeps. */
export const mended = (text: string): string => (isWhole(text) ? text : text.toWellFormed().replaceAll('\0', ''));

const isWhole = (text: string) => text.isWellFormed() && !text.includes('\0');
