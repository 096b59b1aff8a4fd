import { useLingui } from '@lingui/react/macro';
import { useState, type ReactNode } from 'react';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { mayMove } from '#contract/queue.ts';
import { useNow } from '#web/kit/clock.ts';
import { useConnection } from '#web/kit/connection.ts';
import { minutesSince } from '#web/kit/format.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import field from '#web/questionnaire/ui/field.module.css';
import { CheckIcon } from '#web/icons/check.tsx';
import { HandIcon } from '#web/icons/hand.tsx';
import { WalkIcon } from '#web/icons/walk.tsx';
import { Leaving } from './later-notices.tsx';
import { TapButton, type TapProps } from './tap-button.tsx';
import css from './visit-buttons.module.css';

/** A raised hand stays up this long before it may be raised again. */
const handMinutes = 5;
/** A patient who waits for a shorter time is not late yet. */
const longWaitMinutes = 10;

interface VisitButtonsProps extends TapProps {
  visit: PatientVisit;
  /** The link to the next form to fill out; undefined until it is loaded. */
  toForms: ReactNode;
}

/** What the patient can do now, by the same table by which the server refuses: one main action, and leaving behind "More". */
export function VisitButtons({ visit, toForms, ...tapping }: VisitButtonsProps) {
  const { t } = useLingui();
  const { lost } = useConnection();
  const [isOpen, setIsOpen] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const mayCancel = mayMove(visit, 'cancel');
  return (
    <>
      {lost && tapping.taps.length > 0 && (
        <p role="status" className={field.hint}>
          {t`No connection. We’ll send it when you’re back online.`}
        </p>
      )}
      {!isAsking && (
        <>
          {visit.statusCode === 'WAITING' && (toForms === undefined ? <div className={css.mainSpace} /> : toForms)}
          <MoveButtons {...tapping} visit={visit}>
            {mayCancel && (
              <button type="button" className={buttons.quiet} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
                {t`More`}
              </button>
            )}
          </MoveButtons>
        </>
      )}
      {mayCancel && isOpen && <Leaving {...tapping} isAsking={isAsking} onAsking={setIsAsking} />}
    </>
  );
}

interface MoveButtonsProps extends TapProps {
  visit: PatientVisit;
  /** Stands beside the last buttons. */
  children: ReactNode;
}

function MoveButtons({ visit, children, ...tapping }: MoveButtonsProps) {
  const { t } = useLingui();
  const now = useNow();
  const { statusCode, createdAt, stillWaitingAt } = visit;
  const isWaiting = statusCode === 'WAITING';
  const isHandUp = stillWaitingAt !== null && minutesSince(stillWaitingAt, now) < handMinutes;
  const isLongWait = minutesSince(createdAt, now) >= longWaitMinutes;
  const isGoing = statusCode === 'GOING';
  const imIn = mayMove(visit, 'imIn') && (
    <TapButton {...tapping} action="imIn" className={isGoing ? buttons.main : buttons.plain}>
      <CheckIcon size={22} />
      {t`I'm in`}
    </TapButton>
  );
  return (
    <>
      {isWaiting && isHandUp && (
        <p className={css.asked}>
          <CheckIcon />
          {t`We told the front desk you’re still waiting.`}
        </p>
      )}
      {mayMove(visit, 'onMyWay') && (
        <TapButton {...tapping} action="onMyWay" className={buttons.main}>
          <WalkIcon size={22} />
          {t`On my way`}
        </TapButton>
      )}
      {isGoing && imIn}
      <div className={css.pair}>
        {!isGoing && imIn}
        {isWaiting && isLongWait && !isHandUp && (
          <TapButton {...tapping} action="stillWaiting" className={buttons.plain}>
            <HandIcon />
            {t`Still waiting?`}
          </TapButton>
        )}
        {children}
      </div>
    </>
  );
}
