import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react';
import css from './button.module.css';
import { classNames } from './class-names.ts';
import type { Icon } from '#web/icons/shape.tsx';
import { Kbd } from './kbd.tsx';
import { Spinner } from './spinner.tsx';

interface Look {
  variant?: 'filled' | 'default' | 'subtle' | 'danger';
  /** `s` 30 px in dense rows, `m` 36 px (both 44 px on a touch screen), `l` 52 px for thumbs. */
  size?: 's' | 'm' | 'l';
  /** Fills the width of its container. */
  block?: boolean;
}

export interface ButtonProps extends ComponentProps<'button'>, Look {
  icon?: Icon;
  /** In progress: shows a spinner, ignores further clicks, keeps the focus. */
  busy?: boolean;
  /** Cannot be clicked for now, but keeps the focus (a lockout, an incomplete form). */
  locked?: boolean;
  /** The keyboard shortcut; hidden while single keys are switched off. */
  keyHint?: string;
}

/** The classes of a button, for links that look like one. */
export function buttonClass({ variant = 'default', size = 'm', block }: Look): string {
  return classNames(css.button, css[variant], css[size], block && css.block);
}

/** Enter held down clicks once. It would otherwise repeat, also on the button that gets the focus when this one's row disappears. */
function pressOnce(event: KeyboardEvent<HTMLButtonElement>): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}

export function Button({
  variant,
  size,
  block,
  icon: ButtonIcon,
  busy = false,
  locked = false,
  keyHint,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const off = busy || locked;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (off) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      onKeyDown={pressOnce}
      {...rest}
      className={classNames(buttonClass({ variant, size, block }), className)}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      aria-keyshortcuts={keyHint}
      onClick={press}
    >
      {busy ? <Spinner /> : ButtonIcon && <ButtonIcon />}
      <span>{children}</span>
      {keyHint && <Kbd hint>{keyHint}</Kbd>}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** The accessible name, also shown as the tooltip. */
  label: string;
  icon: Icon;
  size?: 's' | 'm' | 'l';
  variant?: 'default' | 'subtle';
  /** A number in the corner, such as unread messages. */
  badge?: string | number;
  /** Where the tooltip appears, so that it stays on screen; `none` if the label is visible anyway. */
  tip?: 'below' | 'below-end' | 'above' | 'none';
}

export function IconButton({
  label,
  icon: ButtonIcon,
  size = 'm',
  variant = 'default',
  badge,
  tip = 'below',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      onKeyDown={pressOnce}
      {...rest}
      aria-label={badge === undefined ? label : `${label} ${badge}`}
      data-tip={tip === 'none' ? undefined : label}
      data-tip-at={tip}
      className={classNames(css.button, css[variant], css[size], css.square, className)}
    >
      <ButtonIcon size={size === 's' ? 16 : 18} />
      {badge !== undefined && <span className={css.badge}>{badge}</span>}
    </button>
  );
}
