import type { ReactNode } from 'react';
import type { Icon } from '#web/icons/shape.tsx';
import css from './notice.module.css';

/** A page with one message instead of a chat. */
export function Notice({ icon: NoticeIcon, title, children }: { icon: Icon; title: string; children: ReactNode }) {
  return (
    <section className={css.notice}>
      <NoticeIcon size={32} />
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </section>
  );
}
