/** Formats a US number while it is typed: the digits so far as (xxx) xxx-xxxx. */
export function maskPhone(digits: string): string {
  const [area, first, last] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 10)];
  if (last) return `(${area}) ${first}-${last}`;
  if (first) return `(${area}) ${first}`;
  return area && `(${area}`;
}

/** The result of an edit: the digits and the caret's position among them. */
export interface PhoneEdit {
  digits: string;
  /** Digits left of the caret. */
  caret: number;
}

const digitsIn = (text: string) => text.replace(/\D/g, '');

/**
 * Reads the field after an edit. `before` are the digits so far; `text` and `caret` are the browser's state.
 * Drops a country code (+1, 1-…) and an extension; deleting a bracket deletes the digit beside it. An edit that would
 * make more than ten digits is ignored: dropping digits would make it another person's number.
 */
export function editPhone(before: string, text: string, caret: number, deleting?: 'backward' | 'forward'): PhoneEdit {
  const withoutExtension = text.replace(/\s*(?:x|ext|#).*$/i, '');
  let digits = digitsIn(withoutExtension);
  let left = digitsIn(withoutExtension.slice(0, caret)).length;

  if (deleting && digits === before) {
    const at = deleting === 'backward' ? left - 1 : left;
    if (at < 0 || at >= digits.length) return { digits, caret: left };
    return { digits: digits.slice(0, at) + digits.slice(at + 1), caret: at };
  }
  if (digits.startsWith('1')) {
    digits = digits.slice(1);
    left = Math.max(0, left - 1);
  }
  if (digits.length > 10) return { digits: before, caret: Math.max(0, left - (digits.length - before.length)) };
  return { digits, caret: left };
}

/** The caret's position in the formatted text that has `left` digits before it. */
export function caretAfter(masked: string, left: number): number {
  if (left === 0) return masked.startsWith('(') ? 1 : 0;
  let seen = 0;
  for (let i = 0; i < masked.length; i++) if (/\d/.test(masked[i] ?? '') && ++seen === left) return i + 1;
  return masked.length;
}
