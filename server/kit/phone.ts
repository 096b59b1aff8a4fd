import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** The United States and its territories. libphonenumber knows which area codes are theirs, and is updated as new ones open. */
const unitedStates = ['US', 'PR', 'VI', 'GU', 'AS', 'MP'];
/** Excludes 900 (premium), 5xx (personal) and toll-free codes: nobody reads a text on those. */
const textable = ['FIXED_LINE_OR_MOBILE', 'MOBILE', 'FIXED_LINE'];
/** 976 after the area code is a pay-per-call exchange, and N11 (411, 911 …) is a service code. */
const payPerCallOrService = /^\+1\d{3}(976|\d11)/;

/**
 * A number in the United States or its territories, in any usual spelling, as E.164. Null for everything else, including +1 numbers
 * of Canada and the Caribbean and premium numbers: texting those costs many times as much (toll fraud).
 */
export function usPhone(spelled: string): string | null {
  const parsed = parse(spelled);
  if (!parsed?.country || !unitedStates.includes(parsed.country)) return null;
  if (!textable.includes(parsed.getType() ?? '') || payPerCallOrService.test(parsed.number)) return null;
  return parsed.number;
}

/** The answers so far by area code and exchange: of 10,000 numbers in one town, a few hundred are really looked at. */
const exchanges = new Map<string, boolean>();

/** Whether a number, spelled as E.164, is one that `usPhone` accepts. The last four digits decide nothing. */
export function isTextable(e164: string): boolean {
  if (!/^\+1\d{10}$/.test(e164)) return false;
  const exchange = e164.slice(0, 8);
  let answer = exchanges.get(exchange);
  if (answer === undefined) {
    if (exchanges.size > 50_000) exchanges.clear();
    exchanges.set(exchange, (answer = usPhone(e164) === e164));
  }
  return answer;
}

/**
 * Who texts a practice: any number of the world as E.164, or the digits of a short code. Each of them is read, and STOP counts wherever it comes
 * from; which of them get an answer is for `usPhone`.
 */
export function senderOf(spelled: string): string | null {
  const compact = spelled.replace(/[\s().-]/g, '');
  if (/^(\+[2-9]\d{6,14}|\d{3,6})$/.test(compact)) return compact;
  return northAmericanPhone(spelled);
}

/** Any +1 number as E.164: a practice may text from a toll-free number. */
export function northAmericanPhone(spelled: string): string | null {
  const parsed = parse(spelled);
  return parsed && /^\+1[2-9]\d{9}$/.test(parsed.number) ? parsed.number : null;
}

function parse(spelled: string) {
  const parsed = parsePhoneNumberFromString(spelled.normalize('NFKC').trim(), 'US');
  return parsed && parsed.countryCallingCode === '1' && parsed.isPossible() ? parsed : undefined;
}
