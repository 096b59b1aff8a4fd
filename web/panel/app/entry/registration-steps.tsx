import { useLingui } from '@lingui/react/macro';
import { Steps } from '#web/panel/ui/steps.tsx';
import css from './registration.module.css';

interface RegistrationStepsProps {
  /** Counts from 0; null before sign-in. */
  at: number | null;
  /** Side by side, below a small heading. */
  inRow?: boolean;
}

/** The steps of a new practice, on the colored panel. */
export function RegistrationSteps({ at, inRow }: RegistrationStepsProps) {
  const { t } = useLingui();
  const label = t`Your practice is live in three steps`;
  return (
    <div>
      <p className={inRow ? css.stepsTitle : css.claim}>{label}</p>
      <Steps
        label={t`Steps`}
        at={at}
        inRow={inRow}
        steps={[
          { title: t`Office details`, says: t`Who you are and where patients find you` },
          { title: t`HIPAA signing`, says: t`The business associate agreement, signed online` },
          { title: t`Done`, says: t`Your queue opens, and patients can check in` },
        ]}
      />
    </div>
  );
}
