import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { PatientVisit } from '#contract/patient/visit.ts';
import notice from '#web/phone/ui/notice.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import { useStatusMessages } from './status-messages.ts';
import css from './visit-status.module.css';

/** The main part of the page: the status, what to do now, and the place in line. */
export function VisitStatus({ visit, refused }: { visit: PatientVisit; refused: string | null }) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const { icon: StatusIcon, tone, title, todo } = useStatusMessages(visit);
  const { statusCode, place } = visit;
  const [shown, setShown] = useState(statusCode);

  useEffect(() => {
    // Reached from another page of this app, whose focused button is gone.
    const cameFrom = (history.state as { from?: string } | null)?.from;
    if (cameFrom !== undefined && document.activeElement === document.body) heading.current?.focus();
  }, []);
  useEffect(() => {
    if (shown === statusCode) return;
    setShown(statusCode);
    // The news are at the top; and the button that had the focus may be gone.
    window.scrollTo(0, 0);
    if (document.activeElement === document.body) heading.current?.focus();
  }, [shown, statusCode]);
  const called = statusCode === 'INVITED' || statusCode === 'REINVITED';
  return (
    <>
      {refused !== null && <ErrorMessage>{refused}</ErrorMessage>}
      <section className={`${css.status} ${called ? css.called : css.card}`}>
        <span className={`${notice.mark} ${notice[tone]}`}>
          <StatusIcon size={called ? 64 : 40} />
        </span>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className={css.todo}>{todo}</p>
        {place !== null && (
          <p className={css.place}>
            {place === 1 ? (
              <strong>{t`You are next`}</strong>
            ) : (
              <>
                <span>{t`Your place in line`}</span>
                <strong className={css.number}>{place}</strong>
              </>
            )}
          </p>
        )}
      </section>
    </>
  );
}
