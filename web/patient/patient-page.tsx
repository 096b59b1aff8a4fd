import { useLingui } from '@lingui/react/macro';

export function PatientPage() {
  const { t } = useLingui();
  return <h1>{t`Check in`}</h1>;
}
