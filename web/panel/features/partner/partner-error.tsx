import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import css from './last-step.module.css';

interface PartnerErrorProps {
  /** What the person entered is saved, so that trying again continues with it. */
  isSaved: boolean;
  onAgain: () => void;
}

/** Something failed that the person cannot fix. */
export function PartnerError({ isSaved, onAgain }: PartnerErrorProps) {
  const { t } = useLingui();
  return (
    <>
      <span className={classNames(css.mark, css.broken)}>
        <WarningIcon size={36} />
      </span>
      <h1>{t`Oops! Something went wrong, please refresh the page or try again`}</h1>
      {isSaved && <p className={css.lead}>{t`Your answers are saved.`}</p>}
      <Button variant="filled" size="l" block autoFocus icon={RefreshIcon} onClick={onAgain}>
        {t`Try again`}
      </Button>
    </>
  );
}
