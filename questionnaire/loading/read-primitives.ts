import { limits } from '#questionnaire/questionnaire.ts';
import { jsonSafetyFlaw, repairText } from './json-safety.ts';
import type { Report } from './read-context.ts';

// Each reader returns undefined for a value of another kind. One that is only written differently ("3" for 3) is read, with a warning.

export function readText(value: unknown, place: string, report: Report): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') {
    report('wrong_shape', 'warning', place, 'text');
    return String(value);
  }
  if (typeof value !== 'string') return undefined;
  // Base64 of an embedded file may be longer.
  if (value.length > limits.textLength && !place.endsWith('data')) {
    report('text_too_long', 'error', place, String(limits.textLength));
    return value.slice(0, limits.textLength);
  }
  if (jsonSafetyFlaw(value)) report('text_broken', 'error', place);
  return repairText(value);
}

export function readFlag(value: unknown, place: string, report: Report): boolean | undefined {
  if (value === 'true' || value === 'false') {
    report('wrong_shape', 'warning', place, 'flag');
    return value === 'true';
  }
  return typeof value === 'boolean' ? value : undefined;
}

export function readNumber(
  value: unknown,
  kind: 'number' | 'whole',
  place: string,
  report: Report,
): number | undefined {
  const isText = typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value);
  const number = isText ? Number(value) : value;
  const isRight = kind === 'whole' ? Number.isSafeInteger(number) : Number.isFinite(number);
  if (isText && isRight) report('wrong_shape', 'warning', place, kind);
  return isRight ? (number as number) : undefined;
}

/** Takes a value over as it is; null if it cannot be stored. */
export function readAnything(value: unknown, place: string, report: Report): unknown {
  const flaw = jsonSafetyFlaw(value);
  if (flaw) report(flaw, 'error', place, flaw === 'too_deep' ? String(limits.depth) : undefined);
  return flaw ? null : value;
}
