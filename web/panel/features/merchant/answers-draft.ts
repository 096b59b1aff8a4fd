import type { AddressAnswers, BusinessType, DetailsAnswers, MerchantForm } from '#contract/merchant.ts';
import { states } from '#contract/practice/choices.ts';
import { emailPattern } from '#contract/email.ts';

/** What is typed in the first two steps. It stays while a save fails or another step is open. */
export interface Draft {
  addressLine1: string;
  city: string;
  state: string;
  zip: string;
  legalName: string;
  knownAs: string;
  businessType: BusinessType | '';
  phone: string;
  email: string;
}
export type DraftField = keyof Draft;

/** The saved answers, else what the practice's own details suggest. */
export function draftOf({ addressAnswers, detailsAnswers, suggested }: MerchantForm): Draft {
  return {
    addressLine1: addressAnswers?.line1 ?? suggested.line1,
    city: addressAnswers?.city ?? suggested.city,
    state: addressAnswers?.state ?? suggested.state,
    zip: addressAnswers?.zip ?? suggested.zip,
    legalName: detailsAnswers?.legalName ?? suggested.legalName,
    knownAs: detailsAnswers?.knownAs ?? suggested.legalName.slice(0, 60),
    businessType: detailsAnswers?.businessType ?? '',
    phone: (detailsAnswers?.phone ?? '').replace(/\D/g, '').slice(-10),
    email: detailsAnswers?.email ?? suggested.email,
  };
}

const isEmpty = (text: string) => text.trim() === '';

export function wrongAddress(draft: Draft): DraftField[] {
  const wrong = {
    addressLine1: isEmpty(draft.addressLine1) || draft.addressLine1.trim().length > 100,
    city: isEmpty(draft.city) || draft.city.trim().length > 60,
    state: !Object.hasOwn(states, draft.state),
    zip: !/^\d{5}(-\d{4})?$/.test(draft.zip.trim()),
  };
  return (Object.keys(wrong) as (keyof typeof wrong)[]).filter((field) => wrong[field]);
}

export function wrongDetails(draft: Draft): DraftField[] {
  const wrong = {
    legalName: isEmpty(draft.legalName),
    knownAs: isEmpty(draft.knownAs),
    businessType: draft.businessType === '',
    phone: draft.phone.length !== 10,
    email: !emailPattern.test(draft.email.trim()),
  };
  return (Object.keys(wrong) as (keyof typeof wrong)[]).filter((field) => wrong[field]);
}

export function addressOf({ addressLine1, city, state, zip }: Draft): AddressAnswers {
  return { line1: addressLine1.trim(), city: city.trim(), state, zip: zip.trim() };
}

/** Null while no type of business is chosen. */
export function detailsOf({ legalName, knownAs, businessType, phone, email }: Draft): DetailsAnswers | null {
  if (businessType === '') return null;
  return {
    legalName: legalName.trim(),
    knownAs: knownAs.trim(),
    businessType,
    phone: `+1${phone}`,
    email: email.trim(),
  };
}
