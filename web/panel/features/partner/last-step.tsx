import { Trans, useLingui } from '@lingui/react/macro';
import { productName } from '#web/kit/title.ts';
import { useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import css from './last-step.module.css';

/** The practice is live: to its dashboard, or to another location first. */
export function LastStep({ onAnother, onDashboard }: { onAnother: () => void; onDashboard: () => void }) {
  const { t } = useLingui();
  const { office } = useSession();
  const name = (
    <strong className={css.office}>
      <bdi>{office?.officeName}</bdi>
    </strong>
  );
  return (
    <>
      <span className={css.mark}>
        <CheckIcon size={36} />
      </span>
      <h1 className={css.title}>{t`Congratulations!`}</h1>
      <p className={css.lead}>
        <Trans>
          {name} is ready to use {productName}. Your patients can check in from their phones today.
        </Trans>
      </p>
      <div className={css.ways}>
        <Button variant="filled" size="l" block autoFocus onClick={onDashboard}>
          {t`Go to dashboard`}
        </Button>
        <Button size="l" block icon={PlusIcon} onClick={onAnother}>
          {t`Add New Location`}
        </Button>
      </div>
    </>
  );
}
