import { limits } from '#questionnaire/questionnaire.ts';

/** Why a JSON value cannot be stored: it is nested too deeply, or contains a NUL or half a character. Never throws. */
export function jsonSafetyFlaw(value: unknown, depth = 0): 'too_deep' | 'text_broken' | undefined {
  if (typeof value === 'string') return isWhole(value) ? undefined : 'text_broken';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= limits.depth) return 'too_deep';
  for (const [key, inner] of Object.entries(value)) {
    const flaw = isWhole(key) ? jsonSafetyFlaw(inner, depth + 1) : 'text_broken';
    if (flaw) return flaw;
  }
  return undefined;
}

/** The text without the characters that no database stores. */
export const repairText = (text: string): string => (isWhole(text) ? text : text.toWellFormed().replaceAll('\0', ''));

const isWhole = (text: string) => text.isWellFormed() && !text.includes('\0');
