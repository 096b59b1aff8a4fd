import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type ReactNode } from 'react';
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

interface TapProps {
  /** Taps that the server has not answered yet. */
  taps: PatientAction[];
  onTap: (action: PatientAction) => void;
}

interface VisitButtonsProps extends TapProps {
  visit: PatientVisit;
}

/** What the patient can tell the practice now, by the same table by which the server refuses. */
export function VisitButtons({ visit, ...tapping }: VisitButtonsProps) {
  const { t } = useLingui();
  const { lost } = useConnection();
  const [isLeaving, setIsLeaving] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const stay = () => {
    setIsLeaving(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const mayCancel = mayMove(visit, 'cancel');
  const unsent = lost && tapping.taps.length > 0 && (
    <p role="status" className={css.waiting}>
      {t`No connection. Your answer is sent as soon as there is one.`}
    </p>
  );
  if (isLeaving && mayCancel)
    return (
      <LeaveQuestion {...tapping} onStay={stay}>
        {unsent}
      </LeaveQuestion>
    );
  return (
    <>
      {unsent}
      <MoveButtons {...tapping} visit={visit}>
        {mayCancel && (
          <button ref={opener} type="button" className={buttons.quiet} onClick={() => setIsLeaving(true)}>
            {t`Cancel visit`}
          </button>
        )}
      </MoveButtons>
    </>
  );
}

interface TapButtonProps extends TapProps {
  action: PatientAction;
  className: string | undefined;
  children: ReactNode;
}

function TapButton({ action, taps, onTap, className, children }: TapButtonProps) {
  return (
    <button
      type="button"
      className={className}
      aria-busy={taps.includes(action) || undefined}
      onClick={() => onTap(action)}
    >
      {children}
    </button>
  );
}

/** `children` stand beside the last buttons. */
function MoveButtons({ visit, children, ...tapping }: VisitButtonsProps & { children: ReactNode }) {
  const { t } = useLingui();
  const now = useNow();
  const { statusCode, stillWaitingAt } = visit;
  const isWaiting = statusCode === 'WAITING';
  const isHandUp = stillWaitingAt !== null && now - Date.parse(stillWaitingAt) <= handMs;
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
        {isWaiting && !isHandUp && (
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

/** Leaving the line is confirmed in place of the buttons. The first button takes the focus. */
function LeaveQuestion({ onStay, children, ...tapping }: TapProps & { onStay: () => void; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <div
      role="group"
      aria-labelledby="leaving"
      className={css.leaving}
      onKeyDown={(event) => event.key === 'Escape' && onStay()}
    >
      <p id="leaving">
        <strong>{t`Cancel your visit?`}</strong> {t`You’ll lose your place in line, and we’ll let the front desk know.`}
      </p>
      {children}
      <button type="button" className={buttons.plain} autoFocus onClick={onStay}>
        {t`Keep my place`}
      </button>
      <TapButton {...tapping} action="cancel" className={buttons.danger}>{t`Cancel my visit`}</TapButton>
    </div>
  );
}
