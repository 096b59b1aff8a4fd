import type { Arrival } from '#contract/patient.ts';
import { readBirthDate, type DateError } from './birth-date.ts';
import { usPhoneDigits } from './phone-number.ts';

/** One person while the form is filled in, as it was typed. */
export interface PersonDraft {
  firstName: string;
  lastName: string;
  birthDate: string;
}

/** A family member, with a key, so that removing one does not move the entries of another. */
export interface MemberDraft extends PersonDraft {
  key: number;
}

export interface CheckInDraft extends PersonDraft {
  phone: string;
  household: MemberDraft[];
}

export const emptyDraft: CheckInDraft = { firstName: '', lastName: '', birthDate: '', phone: '', household: [] };

export const mostMembers = 12;
const longestName = 200;

export type FieldError = 'first-name' | 'last-name' | 'name-too-long' | 'phone' | DateError;

/** What is wrong, by field: `firstName`, `phone`, and `{key}.firstName` for a family member. */
export type FieldErrors = Partial<Record<string, FieldError>>;

/** Checks the entries. `today` is the day as `YYYY-MM-DD`; a family member's date of birth may be left out. */
export function checkDraft(
  draft: CheckInDraft,
  { today, withPhone }: { today: string; withPhone: boolean },
): FieldErrors {
  const errors: FieldErrors = {};
  const checkPerson = (person: PersonDraft, before: string, mayOmitDate: boolean) => {
    const { firstName, lastName, birthDate } = person;
    note(errors, `${before}firstName`, nameError(firstName, 'first-name'));
    note(errors, `${before}lastName`, nameError(lastName, 'last-name'));
    const read = readBirthDate(birthDate, today);
    if ('wrong' in read && !(mayOmitDate && read.wrong === 'date-missing'))
      note(errors, `${before}birthDate`, read.wrong);
  };
  checkPerson(draft, '', false);
  if (withPhone && !usPhoneDigits(draft.phone)) errors.phone = 'phone';
  for (const member of draft.household) checkPerson(member, `${member.key}.`, true);
  return errors;
}

function note(errors: FieldErrors, field: string, wrong: FieldError | undefined): void {
  if (wrong) errors[field] = wrong;
}

function nameError(name: string, missing: FieldError): FieldError | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return missing;
  return trimmed.length > longestName ? 'name-too-long' : undefined;
}

/** The call's body of a draft without errors. */
export function arrivalOf(draft: CheckInDraft, today: string, language: 'en' | 'es'): Arrival {
  const dateOf = (text: string) => {
    const read = readBirthDate(text, today);
    return 'date' in read ? read.date : null;
  };
  return {
    firstName: draft.firstName.trim(),
    lastName: draft.lastName.trim(),
    phone: draft.phone.trim(),
    birthDate: dateOf(draft.birthDate) ?? '',
    household: draft.household.map(({ firstName, lastName, birthDate }) => ({
      firstName: firstName.trim(),
      lastName: lastName.trim(),
      birthDate: dateOf(birthDate),
    })),
    language,
  };
}
