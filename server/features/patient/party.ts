import type { Arrival } from '#contract/patient/check-in.ts';
import { birthDateProblem } from '#contract/birth-date.ts';
import { dayOf } from '#server/kit/day.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

type Party = Omit<Arrival, 'phone'>;

/** The party as it is stored: names on one line, birth dates between 1900 and the office's today. */
export function partyOf(
  { firstName, lastName, birthDate, household, contact, language }: Party,
  now: Date,
  timeZone: string,
): Party {
  const today = dayOf(now, timeZone);
  const people = [{ birthDate }, ...household];
  if (people.some((person) => person.birthDate !== null && birthDateProblem(person.birthDate, today) !== null))
    throw new Refusal('invalid_birth_date');
  return {
    ...cleanNames({ firstName, lastName }),
    birthDate,
    household: household.map((member) => ({ ...cleanNames(member), birthDate: member.birthDate })),
    ...(contact && { contact: cleanNames(contact) }),
    language,
  };
}

function cleanNames({ firstName, lastName }: { firstName: string; lastName: string }) {
  const clean = (name: string) =>
    name
      .normalize('NFC')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
  const names = { firstName: clean(firstName), lastName: clean(lastName) };
  if (names.firstName === '' || names.lastName === '') throw new Refusal('invalid_input');
  return names;
}
