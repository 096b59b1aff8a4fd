import { useEffect, useRef, type ReactNode } from 'react';
import type { Icon } from '#web/icons/shape.tsx';
import css from './notice.module.css';

interface NoticeProps {
  icon: Icon;
  title: string;
  tone?: 'gray' | 'green' | 'amber';
  /** Moves the focus to the heading: for a notice that follows a tap. */
  focus?: boolean;
  children?: ReactNode;
}

/** A page with one message instead of a form or a place in line. */
export function Notice({ icon: NoticeIcon, title, tone = 'gray', focus = false, children }: NoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  return (
    <section className={css.notice}>
      <span className={`${css.mark} ${css[tone]}`}>
        <NoticeIcon size={36} />
      </span>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </section>
  );
}
