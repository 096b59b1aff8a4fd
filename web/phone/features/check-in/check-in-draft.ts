import type { Arrival, OfficeFront } from '#contract/patient/check-in.ts';
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

/** Whom the visit is for. Unless it is for the phone's owner, only the family members are patients and the owner is their contact. */
export type VisitFor = 'me' | 'child' | 'several';

export interface CheckInDraft extends PersonDraft {
  visitFor: VisitFor;
  phone: string;
  household: MemberDraft[];
}

export const emptyDraft: CheckInDraft = {
  visitFor: 'me',
  firstName: '',
  lastName: '',
  birthDate: '',
  phone: '',
  household: [],
};

/** A draft for a practice: one that treats only children expects a parent at the phone. */
export function draftFor({ agesTreated }: Pick<OfficeFront, 'agesTreated'>): CheckInDraft {
  const isPediatric = agesTreated.every((age) => age === 'Newborns' || age === 'Children');
  return isPediatric && agesTreated.length > 0 ? { ...emptyDraft, ...startFor(emptyDraft, 'child') } : emptyDraft;
}

/** How many family members there are at least. */
const fewestMembers = { me: 0, child: 1, several: 2 } as const;

/** What changes when the patient says whom the visit is for. Entries stay; only empty family members go. */
export function startFor(
  { household }: CheckInDraft,
  visitFor: VisitFor,
): Pick<CheckInDraft, 'visitFor' | 'household'> {
  const members = household.filter(({ firstName, birthDate }) => firstName.trim() !== '' || birthDate !== '');
  while (members.length < fewestMembers[visitFor])
    members.push({ key: nextKey(members), firstName: '', lastName: '', birthDate: '' });
  return { visitFor, household: members };
}

export const nextKey = (household: readonly MemberDraft[]): number =>
  Math.max(0, ...household.map((member) => member.key)) + 1;

export const mostMembers = 12;
const longestName = 200;

export type FieldError = 'first-name' | 'last-name' | 'name-too-long' | 'phone' | DateError;

/** What is wrong, by field: `firstName`, `phone`, and `{key}.firstName` for a family member. */
export type FieldErrors = Partial<Record<string, FieldError>>;

/** Checks the entries. `today` is the day as `YYYY-MM-DD`; only the first patient's date of birth is needed. */
export function checkDraft(
  draft: CheckInDraft,
  { today, withPhone }: { today: string; withPhone: boolean },
): FieldErrors {
  const errors: FieldErrors = {};
  const isForMe = draft.visitFor === 'me';
  const checkNames = ({ firstName, lastName }: PersonDraft, before: string) => {
    note(errors, `${before}firstName`, nameError(firstName, 'first-name'));
    note(errors, `${before}lastName`, nameError(lastName, 'last-name'));
  };
  const checkDate = ({ birthDate }: PersonDraft, before: string, mayOmitDate: boolean) => {
    const read = readBirthDate(birthDate, today);
    if ('wrong' in read && !(mayOmitDate && read.wrong === 'date-missing'))
      note(errors, `${before}birthDate`, read.wrong);
  };
  checkNames(draft, '');
  if (isForMe) checkDate(draft, '', false);
  if (withPhone && !usPhoneDigits(draft.phone)) errors.phone = 'phone';
  for (const [i, member] of draft.household.entries()) {
    checkNames(member, `${member.key}.`);
    checkDate(member, `${member.key}.`, isForMe || i > 0);
  }
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
  const namesOf = ({ firstName, lastName }: PersonDraft) => ({
    firstName: firstName.trim(),
    lastName: lastName.trim(),
  });
  const isForMe = draft.visitFor === 'me';
  const [patient = draft, ...others] = isForMe ? [draft, ...draft.household] : draft.household;
  return {
    ...namesOf(patient),
    phone: draft.phone.trim(),
    birthDate: dateOf(patient.birthDate) ?? '',
    household: others.map((member) => ({ ...namesOf(member), birthDate: dateOf(member.birthDate) })),
    ...(!isForMe && { contact: namesOf(draft) }),
    language,
  };
}
