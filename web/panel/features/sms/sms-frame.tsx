import type { ReactNode } from 'react';
import { useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import css from './sms.module.css';
import { ZoneNote } from './zone-note.tsx';

/** A page of the SMS dashboard: the office on the left, the page beside it. */
export function SmsFrame({ title, children }: { title: string; children: ReactNode }) {
  const { office } = useSession();
  useTitle(title);
  return (
    <div className={css.frame}>
      <aside className={css.office}>
        <p className={css.officeName}>{office?.officeName}</p>
        <p className={css.address}>{office?.address}</p>
        <ZoneNote />
      </aside>
      <div className={css.page}>{children}</div>
    </div>
  );
}
