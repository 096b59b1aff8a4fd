/** A national US number while it is typed: the digits as (xxx) xxx-xxxx, as far as they go. */
export function maskPhone(digits: string): string {
  const [area, first, last] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 10)];
  if (last) return `(${area}) ${first}-${last}`;
  if (first) return `(${area}) ${first}`;
  return area && `(${area}`;
}

/** What an edit leaves: digits and where the caret stands among them. */
export interface PhoneEdit {
  digits: string;
  /** Digits left of the caret. */
  caret: number;
}

const digitsIn = (text: string) => text.replace(/\D/g, '');

/**
 * Reads the field after an edit. `before` are its digits so far, `text` and `caret` what the browser left.
 * A country code (+1, 1-…) is dropped, an extension too, deleting a bracket deletes the digit beside it, and what would
 * be more than ten digits is not taken at all: pushing digits out would make it another person's number.
 */
export function editPhone(before: string, text: string, caret: number, deleting?: 'backward' | 'forward'): PhoneEdit {
  const kept = text.replace(/\s*(?:x|ext|#).*$/i, '');
  let digits = digitsIn(kept);
  let left = digitsIn(kept.slice(0, caret)).length;

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

/** Where the caret stands in the masked text when `left` digits are left of it. */
export function caretAfter(masked: string, left: number): number {
  if (left === 0) return masked.startsWith('(') ? 1 : 0;
  let seen = 0;
  for (let i = 0; i < masked.length; i++) if (/\d/.test(masked[i] ?? '') && ++seen === left) return i + 1;
  return masked.length;
}
