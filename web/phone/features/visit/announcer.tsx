import { useEffect, useRef, useState } from 'react';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { ringChime } from '#web/phone/ui/chime.ts';
import { visuallyHidden } from '#web/kit/visually-hidden.tsx';
import { useStatusMessages } from './status-messages.ts';

/** Says each change to those who do not look at the screen: by screen reader, in the window's title, by ring and buzz. */
export function Announcer({ visit, isCalled }: { visit: PatientVisit; isCalled: boolean }) {
  const { title, todo, place } = useStatusMessages(visit);
  const { officeName, statusAt } = visit;
  const announcement = [title, todo, place].filter(Boolean).join(' ');
  // What the page opened with is read with the page, not a second time.
  const [opening, setOpening] = useState<string | null>(announcement);
  if (opening !== null && opening !== announcement) setOpening(null);
  const news = opening === null ? announcement : '';
  const calledBefore = useRef<string | null>(isCalled ? statusAt : null);

  useEffect(() => {
    document.title = `${isCalled ? '🔔 ' : ''}${title} · ${officeName}`;
  }, [title, officeName, isCalled]);
  useEffect(() => {
    if (!isCalled || calledBefore.current === statusAt) return;
    calledBefore.current = statusAt;
    ringChime();
  }, [isCalled, statusAt]);
  return (
    <div className={visuallyHidden}>
      <p role="status">{isCalled ? '' : news}</p>
      <p role="alert">{isCalled ? news : ''}</p>
    </div>
  );
}
