import { useLingui } from '@lingui/react/macro';

/** Why the practice software refused a payment, as a sentence; null unless it did. What it says in its own words stays as it is. */
export function useRecordingProblem(problem: string | null): string | null {
  const { t } = useLingui();
  if (problem === null) return null;
  const sentences: Record<string, string> = {
    department: t`Athena does not know the department.`,
    'payment method': t`Athena does not accept this kind of card.`,
    'last four digits': t`The last four digits of the card are missing.`,
    'no open claim': t`Athena has no open claim of this amount.`,
    'not accepting payments': t`Athena does not accept payments right now.`,
    'no practice number': t`The practice's number in Athena is missing. Ask support to enter it.`,
    'no patient number': t`The patient's number in Athena is missing. Ask support to enter it.`,
    'no practice software': t`Athena is not connected.`,
    'not reached': t`Athena could not be reached.`,
    'not accepted': t`Athena did not accept the payment.`,
  };
  return sentences[problem] ?? t`Athena says: ${problem}`;
}
