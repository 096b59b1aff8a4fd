import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './card.module.css';

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode;
  /** Buttons at the end of the title's line. */
  actions?: ReactNode;
  /** The level of its heading. */
  level?: 2 | 3;
}

/** A titled part of a page. */
export function Card({ title, actions, level = 2, className, children, ...rest }: CardProps) {
  const Heading = `h${level}` as const;
  return (
    <section {...rest} className={classNames(css.card, className)}>
      {title !== undefined && (
        <div className={css.top}>
          <Heading className={css.title}>{title}</Heading>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
