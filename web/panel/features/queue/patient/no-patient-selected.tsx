import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { PersonIcon } from '#web/icons/person.tsx';
import css from './no-patient-selected.module.css';

/** Shown beside the list while no patient is selected. The sentence does not move when `children` arrive above it. */
export function NoPatientSelected({ children }: { children?: ReactNode }) {
  const { t } = useLingui();
  return (
    <div className={css.nobody}>
      <div className={css.above}>{children}</div>
      <p className={css.hint}>{t`Select a patient to see their forms, messages and next step.`}</p>
    </div>
  );
}

/** In the place of the day's numbers until the first patient arrives. */
export function NobodyYet() {
  return (
    <span className={css.icon}>
      <PersonIcon size={28} />
    </span>
  );
}
