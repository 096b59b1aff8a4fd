import type { Address } from '#contract/addresses.ts';
import type { FoundAddress } from './sql.ts';

/** An address as people read it: the file shouts most of its names. */
export function shownAddress({
  npi,
  name,
  otherName,
  addressLine1,
  addressLine2,
  city,
  state,
  zip,
}: FoundAddress): Address {
  return {
    _id: npi,
    npi,
    name: spokenName(name),
    otherName: otherName && spokenName(otherName),
    addressLine1: spoken(addressLine1),
    addressLine2: addressLine2 && spoken(addressLine2),
    city: spoken(city),
    state,
    zip,
  };
}

const capitals = new Set(
  'LLC PLLC PC PA LLP LP DBA MD DO DDS DMD OD RN NP PHD PT OT II III IV VI USA US NE NW SE SW PO ENT MRI HIV UCLA NYU'.split(
    ' ',
  ),
);
const small = new Set(['AND', 'OF', 'THE', 'FOR', 'AT', 'IN', 'DE', 'LA']);

const spokenName = (text: string) => spoken(text, true);

function spoken(text: string, isName = false): string {
  if (/\p{Ll}/u.test(text)) return text;
  return text.replace(/[\p{L}\p{N}’']+/gu, (word, at: number) => {
    if (capitals.has(word) && (isName || !['PA', 'PC', 'PT', 'DO', 'ENT'].includes(word))) return word;
    if (small.has(word) && at > 0 && isName) return word.toLowerCase();
    return word.charAt(0) + word.slice(1).toLowerCase();
  });
}
