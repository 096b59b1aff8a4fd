import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { formatCountdown, useSecondsLeft } from '#web/panel/ui/countdown.tsx';
import css from './form.module.css';
import type { SentCode } from './sent-code.ts';

interface CodeStatusProps {
  sent: SentCode;
  isResending: boolean;
  onResend: () => void;
}

/** How long the code is valid, and the button that sends another one. */
export function CodeStatus({ sent, isResending, onResend }: CodeStatusProps) {
  const { t } = useLingui();
  const left = useSecondsLeft(sent.expiresAt);
  const pause = useSecondsLeft(sent.resendAt);
  return (
    <div className={css.time}>
      <div>
        <span role="status" className={css.expired}>
          {left === 0 && t`Code expired - click 're-send code'`}
        </span>
        {left > 0 && (
          <span role="timer">
            <Trans>
              Code expires in <bdi dir="ltr">{formatCountdown(left)}</bdi>
            </Trans>
          </span>
        )}
      </div>
      <Button
        size="s"
        variant="subtle"
        className={classNames(pause > 0 && css.counting)}
        busy={isResending}
        locked={pause > 0}
        onClick={onResend}
      >
        {t`Re-send code`}
        {pause > 0 && (
          <span aria-hidden className={css.pause}>
            {t`in ${pause} s`}
          </span>
        )}
      </Button>
    </div>
  );
}
