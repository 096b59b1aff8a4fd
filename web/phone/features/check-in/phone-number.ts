import { formatPhone } from '#contract/phone-format.ts';

/** The ten digits of a US number in any usual spelling; null when it is none. The server has the last word. */
export function usPhoneDigits(text: string): string | null {
  const typed = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim();
  if (!/^(tel:)?\+?[\d\s().\-/]+$/i.test(typed)) return null;
  const digits = typed.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  const foreign = typed.includes('+') && !/^(tel:)?\+1/i.test(typed);
  return !foreign && /^[2-9]\d{9}$/.test(digits) ? digits : null;
}

/** A number that is complete is shown as (212) 555-0101; one that is not stays as it was typed. */
export function formatTypedPhone(text: string): string {
  const digits = usPhoneDigits(text);
  return digits ? formatPhone(digits) : text;
}

/** The number as anybody may see it on a shared phone: (212) •••-••01. */
export function hidePhoneDigits(text: string): string {
  const digits = usPhoneDigits(text);
  return digits ? `(${digits.slice(0, 3)}) •••-••${digits.slice(8)}` : '•••';
}
