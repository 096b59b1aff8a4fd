import { useLingui } from '@lingui/react/macro';
import type { FieldError } from './check-in-draft.ts';

/** Whose name or date of birth a field asks for. */
export type Whose = 'you' | 'child' | 'member';

/** The message for a field's error, which says what to do. */
export function useFieldMessages(whose: Whose = 'you'): (wrong: FieldError | undefined) => string | undefined {
  const { t } = useLingui();
  const missing = {
    you: [t`Enter your first name.`, t`Enter your last name.`, t`Enter your date of birth.`],
    child: [t`Enter the child’s first name.`, t`Enter the child’s last name.`, t`Enter the child’s date of birth.`],
    member: [t`Enter the first name.`, t`Enter the last name.`, t`Enter the date of birth.`],
  } as const;
  const [firstName, lastName, birthDate] = missing[whose];
  const messages: Record<FieldError, string> = {
    'first-name': firstName,
    'last-name': lastName,
    'name-too-long': t`Please shorten the name to 200 letters.`,
    phone: t`Please enter a 10-digit mobile number from the United States or its territories.`,
    'date-missing': birthDate,
    'date-incomplete': t`Please enter month, day and all four digits of the year.`,
    'no-such-day': t`Enter a real date, like 04/02/1990.`,
    'date-ahead': t`Enter a date in the past.`,
    'date-too-old': t`Please enter a year from 1900 on.`,
  };
  return (wrong) => wrong && messages[wrong];
}
