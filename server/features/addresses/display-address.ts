import type { Address } from '#contract/addresses.ts';
import type { FoundAddress } from './sql.ts';

/** An address for display: the NPPES file has most names in capitals. */
export function formatAddress({
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
    name: formatName(name),
    otherName: otherName && formatName(otherName),
    addressLine1: titleCase(addressLine1),
    addressLine2: addressLine2 && titleCase(addressLine2),
    city: titleCase(city),
    state,
    zip,
  };
}

const capitals = new Set(
  'LLC PLLC PC PA LLP LP DBA MD DO DDS DMD OD RN NP PHD PT OT II III IV VI USA US NE NW SE SW PO ENT MRI HIV UCLA NYU'.split(
    ' ',
  ),
);
const lowercaseWords = new Set(['AND', 'OF', 'THE', 'FOR', 'AT', 'IN', 'DE', 'LA']);

const formatName = (text: string) => titleCase(text, true);

function titleCase(text: string, isName = false): string {
  if (/\p{Ll}/u.test(text)) return text;
  return text.replace(/[\p{L}\p{N}’']+/gu, (word, at: number) => {
    if (capitals.has(word) && (isName || !['PA', 'PC', 'PT', 'DO', 'ENT'].includes(word))) return word;
    if (lowercaseWords.has(word) && at > 0 && isName) return word.toLowerCase();
    return word.charAt(0) + word.slice(1).toLowerCase();
  });
}
