import type { ComponentProps } from 'react';
import css from './visually-hidden.module.css';

/** The class of what is for screen readers only, where it is not a span. */
export const visuallyHidden = css.hidden;

/** For screen readers only. */
export function VisuallyHidden(props: ComponentProps<'span'>) {
  return <span {...props} className={visuallyHidden} />;
}
