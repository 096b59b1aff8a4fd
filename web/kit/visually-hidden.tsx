import type { ComponentProps } from 'react';
import css from './visually-hidden.module.css';

/** For screen readers only. */
export function VisuallyHidden(props: ComponentProps<'span'>) {
  return <span {...props} className={css.hidden} />;
}
