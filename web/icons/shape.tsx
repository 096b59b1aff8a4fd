import type { ReactNode } from 'react';
import css from './shape.module.css';

/**
 * Icons are drawn inline with the text. Shapes from Lucide (ISC license, https://lucide.dev). They are decorative: the text is next to
 * them, or is the label of their button. One file per icon, so that a page loads only those it shows.
 */
export interface IconProps {
  /** Pixels; by default the page's icon size (`--icon-size`). */
  size?: number;
  className?: string;
}
export type Icon = (props: IconProps) => ReactNode;

export function Shape({ size, className, children }: IconProps & { children: ReactNode }) {
  const classes = className ? `${css.icon} ${className}` : css.icon;
  return (
    <svg className={classes} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}
