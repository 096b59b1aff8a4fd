import type { Address } from '#contract/addresses.ts';
import {
  npiDigits,
  invalidFields,
  type Draft,
  type Field,
  type RegistrationInput,
} from '#contract/practice/registration.ts';
import { timeZoneOf } from '#contract/practice/time-zones.ts';
import { streetOf } from '#contract/practice/address-line.ts';

export type { Draft, Field };
/** The text fields. */
export type TextName = Exclude<Field & keyof Draft, 'agesTreated'>;

/** An id for a new form: 128 random bits. `randomUUID` is missing on plain http. */
export function newFormId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Fills in name, address and NPI from the chosen search result. */
export function chooseAddress(
  draft: Draft,
  { _id, npi, name, addressLine1, addressLine2, city, state, zip }: Address,
): Draft {
  return {
    ...draft,
    addressId: _id,
    npi,
    name,
    addressLine1: streetOf({ addressLine1, addressLine2 }),
    city,
    state,
    zip,
    timeZone: null,
    isNewAddress: false,
  };
}

/** Returns to the search; the name stays. */
export function searchAgain({
  addressId: _,
  addressLine1: __,
  city: ___,
  state: ____,
  zip: _____,
  npi: ______,
  ...rest
}: Draft): Draft {
  return { ...rest, timeZone: null, isNewAddress: false };
}

/** Switches to entering the address by hand, starting from the chosen one. */
export function typeAddress({ addressId: _, ...draft }: Draft): Draft {
  return { ...draft, isNewAddress: true, wantsProvisional: draft.wantsProvisional ?? false };
}

/** The practice's time zone: the chosen one, else that of its address; empty while neither is known. */
export function zoneOf(draft: Draft): string {
  return draft.timeZone || timeZoneOf({ state: draft.state ?? '', zip: (draft.zip ?? '').trim() }) || '';
}

/** The input to submit. Of the two ways of giving an address only the visible one counts. */
export function inputOf(draft: Draft): RegistrationInput {
  const { isNewAddress, wantsProvisional, addressId, addressLine1, city, state, zip, npi, ...rest } = draft;
  const typed = { addressLine1, city, state, zip, npi: wantsProvisional ? null : npiDigits(npi ?? '') };
  return {
    ...rest,
    timeZone: zoneOf(draft) || null,
    ...(isNewAddress ? typed : addressId ? { addressId } : {}),
  };
}

/** The fields that are wrong, in the order of the form. */
export function problemsOf(draft: Draft): Field[] {
  const { isNewAddress = false, wantsProvisional = false } = draft;
  const wrong = invalidFields({ ...inputOf(draft), isNewAddress, ...(isNewAddress && { wantsProvisional }) });
  const placeIsKnown = isNewAddress ? !wrong.includes('state') : Boolean(draft.addressId);
  return placeIsKnown && zoneOf(draft) === '' && !wrong.includes('timeZone') ? [...wrong, 'timeZone'] : wrong;
}
