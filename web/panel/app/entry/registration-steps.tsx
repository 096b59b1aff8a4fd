import { useLingui } from '@lingui/react/macro';
import { Steps } from '#web/panel/ui/steps.tsx';
import css from './registration.module.css';

/** The steps of a new practice, on the colored panel. `at` counts from 0; null before sign-in. */
export function RegistrationSteps({ at }: { at: number | null }) {
  const { t } = useLingui();
  const label = t`Your practice is live in three steps`;
  return (
    <div>
      <p className={css.claim}>{label}</p>
      <Steps
        label={t`Steps`}
        at={at}
        steps={[
          { title: t`Office details`, says: t`Who you are and where patients find you` },
          { title: t`HIPAA signing`, says: t`The business associate agreement, signed online` },
          { title: t`Done`, says: t`Your queue opens, and patients can check in` },
        ]}
      />
    </div>
  );
}
