import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { TapButton, type TapProps } from '#web/phone/features/visit/index.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import css from './leaving.module.css';

interface LeavingProps extends TapProps {
  isAsking: boolean;
  onAsking: (isAsking: boolean) => void;
}

/** Leaving the line is confirmed in place of all other buttons. The first button of the question takes the focus. */
export function Leaving({ isAsking, onAsking, ...tapping }: LeavingProps) {
  const { t } = useLingui();
  const opener = useRef<HTMLButtonElement>(null);
  const stay = () => {
    onAsking(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (!isAsking)
    return (
      <button ref={opener} type="button" className={buttons.quiet} onClick={() => onAsking(true)}>
        {t`Cancel visit`}
      </button>
    );
  return (
    <div
      role="group"
      aria-labelledby="leaving"
      className={css.question}
      onKeyDown={(event) => event.key === 'Escape' && stay()}
    >
      <p id="leaving">
        <strong>{t`Cancel your visit?`}</strong> {t`You’ll lose your place in line, and we’ll let the front desk know.`}
      </p>
      <button type="button" className={buttons.plain} autoFocus onClick={stay}>
        {t`Keep my place`}
      </button>
      <TapButton {...tapping} action="cancel" className={buttons.danger}>{t`Cancel my visit`}</TapButton>
    </div>
  );
}
