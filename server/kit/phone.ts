import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** A US (+1) number in any usual spelling as E.164; null when it is none. */
export function usPhone(spelled: string): string | null {
  const parsed = parsePhoneNumberFromString(spelled.normalize('NFKC').trim(), 'US');
  return parsed && parsed.countryCallingCode === '1' && parsed.isPossible() && /^\+1[2-9]\d{9}$/.test(parsed.number)
    ? parsed.number
    : null;
}
