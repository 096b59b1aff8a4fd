import { ageOn, type KnownFacts } from './known-facts.ts';
import { writtenPhone } from './written-phone.ts';

/** Whom a form is about, and who fills it in. */
export interface KnownPatient {
  name: string;
  filledBy: string;
  birthDate: string | null;
  /** Null if the link that opened the form does not prove that it is theirs. */
  phone: string | null;
}

/** What is known about a patient on a day, as the items of a form may ask for it. */
export function factsOfPatient({ name, filledBy, birthDate, phone }: KnownPatient, today: string): KnownFacts {
  return {
    name,
    'filled-by': filledBy,
    'adult-name': birthDate !== null && ageOn(birthDate, today) < 18 ? filledBy : name,
    ...(phone !== null && { phone: writtenPhone(phone) }),
    ...(birthDate !== null && { 'birth-date': birthDate, age: ageOn(birthDate, today) }),
  };
}
