import { useLingui } from '@lingui/react/macro';
import type { FieldError } from './check-in-draft.ts';

/** The message for a field's error, which says what to do. */
export function useFieldMessages(): (wrong: FieldError | undefined) => string | undefined {
  const { t } = useLingui();
  const words: Record<FieldError, string> = {
    'first-name': t`Please enter the first name.`,
    'last-name': t`Please enter the last name.`,
    'name-too-long': t`Please shorten the name to 200 letters.`,
    phone: t`Please enter a 10-digit mobile number from the United States or its territories.`,
    'date-missing': t`Please enter the date of birth.`,
    'date-incomplete': t`Please enter month, day and all four digits of the year.`,
    'no-such-day': t`There is no such day. Month first, then day.`,
    'date-ahead': t`This date has not come yet.`,
    'date-too-old': t`Please enter a year from 1900 on.`,
  };
  return (wrong) => wrong && words[wrong];
}
