import type { Address } from '#contract/addresses.ts';
import {
  npiDigits,
  wrongFields,
  type Draft,
  type Field,
  type RegistrationInput,
} from '#contract/practice/registration.ts';
import { timeZoneOf } from '#contract/practice/time-zones.ts';

export type { Draft, Field };
/** The fields that hold a text. */
export type TextName = Exclude<Field & keyof Draft, 'agesTreated'>;

/** An id for a new form: 128 random bits, also on plain http, where the browser has no randomUUID. */
export function newFormId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The found address fills name, place and NPI. */
export function chooseAddress(
  draft: Draft,
  { _id, npi, name, addressLine1, addressLine2, city, state, zip }: Address,
): Draft {
  const line1 = [addressLine1, addressLine2].filter(Boolean).join(', ');
  return {
    ...draft,
    addressId: _id,
    npi,
    name,
    addressLine1: line1,
    city,
    state,
    zip,
    timeZone: null,
    isNewAddress: false,
  };
}

/** Back to the search; the name stays. */
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

/** The address is typed from here on; what was chosen before is there to be corrected. */
export function typeAddress({ addressId: _, ...draft }: Draft): Draft {
  return { ...draft, isNewAddress: true, wantsProvisional: draft.wantsProvisional ?? false };
}

/** The clock of the practice: the one chosen, else the one its place goes by; empty as long as neither is known. */
export function zoneOf(draft: Draft): string {
  return draft.timeZone || timeZoneOf({ state: draft.state ?? '', zip: (draft.zip ?? '').trim() }) || '';
}

/** What is submitted: of the two ways of giving an address only the open one counts. */
export function inputOf(draft: Draft): RegistrationInput {
  const { isNewAddress, wantsProvisional, addressId, addressLine1, city, state, zip, npi, ...rest } = draft;
  const typed = { addressLine1, city, state, zip, npi: wantsProvisional ? null : npiDigits(npi ?? '') };
  return {
    ...rest,
    timeZone: zoneOf(draft) || null,
    ...(isNewAddress ? typed : addressId ? { addressId } : {}),
  };
}

/** What is wrong with the form as it stands, in the order of its fields. */
export function problemsOf(draft: Draft): Field[] {
  const { isNewAddress = false, wantsProvisional = false } = draft;
  const wrong = wrongFields({ ...inputOf(draft), isNewAddress, ...(isNewAddress && { wantsProvisional }) });
  const placeIsKnown = isNewAddress ? !wrong.includes('state') : Boolean(draft.addressId);
  return placeIsKnown && zoneOf(draft) === '' && !wrong.includes('timeZone') ? [...wrong, 'timeZone'] : wrong;
}
