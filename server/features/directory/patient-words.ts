import { searchWordsOf } from '#server/search-words.ts';

export interface Person {
  firstName: string;
  lastName: string;
  /** YYYY-MM-DD. */
  birthDate: string | null;
}

const longestWord = 100;

/** What the directory finds a patient by: names and birthdays of everybody who checked in with the phone, and the number's beginnings. */
export function patientWordsOf(people: readonly Person[], phone: string): string[] {
  const digits = phone.replace(/\D/g, '');
  const words = [
    ...people.flatMap(({ firstName, lastName }) => searchWordsOf(`${firstName} ${lastName}`)),
    ...people.flatMap(({ birthDate }) => (birthDate === null ? [] : [birthDate.replaceAll('-', '')])),
    // "(212) 555-0161", "555-0161" and "0161" are beginnings of these.
    ...[10, 7, 4].map((length) => digits.slice(-length)),
  ];
  // In one order: two check-ins of the same person wait for each other instead of deadlocking.
  return [...new Set(words.map((word) => word.slice(0, longestWord)))].sort();
}
