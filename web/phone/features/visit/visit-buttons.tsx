import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { PatientAction, PatientVisit } from '#contract/patient.ts';
import { mayMove } from '#contract/queue.ts';
import { useNow } from '#web/kit/clock.ts';
import { useConnection } from '#web/kit/connection.ts';
import buttons from '#web/questionnaire/ui/button.module.css';
import { CheckIcon } from '#web/icons/check.tsx';
import { HandIcon } from '#web/icons/hand.tsx';
import { WalkIcon } from '#web/icons/walk.tsx';
import css from './visit-buttons.module.css';

/** A raised hand stays up this long before it may be raised again. */
const handMs = 5 * 60_000;

interface VisitButtonsProps {
  visit: PatientVisit;
  /** Taps under way. */
  taps: PatientAction[];
  onTap: (action: PatientAction) => void;
}

/** What a phone may say in this state, by the table the server refuses by. Leaving the line is asked about in place. */
export function VisitButtons({ visit, taps, onTap }: VisitButtonsProps) {
  const { t } = useLingui();
  const { lost } = useConnection();
  const now = useNow();
  const [leaving, setLeaving] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { statusCode, stillWaitingAt } = visit;
  const mayAsk = statusCode === 'WAITING' && (stillWaitingAt === null || now - Date.parse(stillWaitingAt) > handMs);
  const buttonOf = (action: PatientAction, look: string | undefined) => ({
    type: 'button' as const,
    className: look,
    'aria-busy': taps.includes(action) || undefined,
    onClick: () => onTap(action),
  });

  const imIn = (look: string | undefined) =>
    mayMove(visit, 'imIn') && (
      <button {...buttonOf('imIn', look)}>
        <CheckIcon size={22} />
        {t`I'm in`}
      </button>
    );

  const unsent = lost && taps.length > 0 && (
    <p role="status" className={css.waiting}>
      {t`No connection. Your answer is sent as soon as there is one.`}
    </p>
  );

  const keep = () => {
    setLeaving(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (leaving && mayMove(visit, 'cancel')) {
    // With a key it is a new part of the page, whose first button takes the focus.
    return (
      <div
        key="leaving"
        role="group"
        aria-labelledby="leaving"
        className={css.leaving}
        onKeyDown={(event) => event.key === 'Escape' && keep()}
      >
        <p id="leaving">
          <strong>{t`Leave the line?`}</strong> {t`You’ll lose your place in line, and we’ll let the front desk know.`}
        </p>
        {unsent}
        <button type="button" className={buttons.plain} autoFocus onClick={keep}>
          {t`Keep my place`}
        </button>
        <button {...buttonOf('cancel', buttons.danger)}>{t`Leave the line`}</button>
      </div>
    );
  }
  return (
    <>
      {unsent}
      {statusCode === 'WAITING' && !mayAsk && (
        <p className={css.asked}>
          <CheckIcon />
          {t`The front desk knows that you are waiting.`}
        </p>
      )}
      {mayMove(visit, 'onMyWay') && (
        <button {...buttonOf('onMyWay', buttons.main)}>
          <WalkIcon size={22} />
          {t`On my way`}
        </button>
      )}
      {statusCode === 'GOING' && imIn(buttons.main)}
      <div className={css.pair}>
        {statusCode !== 'GOING' && imIn(buttons.plain)}
        {mayAsk && (
          <button {...buttonOf('stillWaiting', buttons.plain)}>
            <HandIcon />
            {t`Still waiting?`}
          </button>
        )}
        {mayMove(visit, 'cancel') && (
          <button ref={opener} type="button" className={buttons.quiet} onClick={() => setLeaving(true)}>
            {t`Cancel visit`}
          </button>
        )}
      </div>
    </>
  );
}
