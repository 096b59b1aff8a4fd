import type { Arrival } from '#contract/patient.ts';
import { readBirthDate, type WrongDate } from './birth-date.ts';
import { tenDigits } from './phone-number.ts';

/** One person while the form is filled in, as it was typed. */
export interface PersonDraft {
  firstName: string;
  lastName: string;
  birthDate: string;
}

/** A family member, with a key of its own so that removing one moves no other's words. */
export interface MemberDraft extends PersonDraft {
  key: number;
}

export interface ArrivalDraft extends PersonDraft {
  phone: string;
  household: MemberDraft[];
}

export const emptyDraft: ArrivalDraft = { firstName: '', lastName: '', birthDate: '', phone: '', household: [] };

export const mostMembers = 12;
const longestName = 200;

export type Wrong = 'first-name' | 'last-name' | 'name-too-long' | 'phone' | WrongDate;

/** What is wrong, by field: `firstName`, `phone`, and `{key}.firstName` for a family member. */
export type Errors = Partial<Record<string, Wrong>>;

/** Checks what was typed. `today` is the day as `YYYY-MM-DD`; a family member's date of birth may be left out. */
export function checkDraft(draft: ArrivalDraft, { today, withPhone }: { today: string; withPhone: boolean }): Errors {
  const errors: Errors = {};
  const checkPerson = (person: PersonDraft, before: string, mayOmitDate: boolean) => {
    const { firstName, lastName, birthDate } = person;
    note(errors, `${before}firstName`, wrongName(firstName, 'first-name'));
    note(errors, `${before}lastName`, wrongName(lastName, 'last-name'));
    const read = readBirthDate(birthDate, today);
    if ('wrong' in read && !(mayOmitDate && read.wrong === 'date-missing'))
      note(errors, `${before}birthDate`, read.wrong);
  };
  checkPerson(draft, '', false);
  if (withPhone && !tenDigits(draft.phone)) errors.phone = 'phone';
  for (const member of draft.household) checkPerson(member, `${member.key}.`, true);
  return errors;
}

function note(errors: Errors, field: string, wrong: Wrong | undefined): void {
  if (wrong) errors[field] = wrong;
}

function wrongName(name: string, missing: Wrong): Wrong | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return missing;
  return trimmed.length > longestName ? 'name-too-long' : undefined;
}

/** The call's body of a draft without errors. */
export function arrivalOf(draft: ArrivalDraft, today: string, language: 'en' | 'es'): Arrival {
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
