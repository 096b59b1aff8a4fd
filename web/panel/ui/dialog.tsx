import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from './button.tsx';
import css from './dialog.module.css';
import { classNames } from './class-names.ts';
import { CloseIcon } from '#web/icons/close.tsx';

interface DialogProps {
  title: ReactNode;
  onClose: () => void;
  /** The buttons, the main one last. */
  footer?: ReactNode;
  size?: 's' | 'm' | 'l';
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog';
  children?: ReactNode;
}

/**
 * A dialog over the page, open while it is mounted. It starts on its first field (or what carries
 * `data-autofocus`), everything behind it rests, Escape and a press beside it close it, and the focus goes back to
 * where it came from.
 */
export function Dialog({ title, onClose, footer, size = 'm', role = 'dialog', children }: DialogProps) {
  const { t } = useLingui();
  const titleId = useId();
  const backdrop = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const layer = backdrop.current;
    if (!layer) return;
    const opener = document.activeElement;
    layers.push(layer);
    restAllButTheLast();
    firstField(layer)?.focus();
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      restAllButTheLast();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    onClose();
  };
  // What had the focus may have gone: the key then reaches the page instead of the dialog.
  const onStrayKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const isLost = event.target === document.body && layers.at(-1) === backdrop.current;
    if (event.key === 'Escape' && isLost && !event.defaultPrevented) onClose();
  });
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => onStrayKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  return createPortal(
    <div
      ref={backdrop}
      className={css.backdrop}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div
        className={classNames(css.dialog, css[size])}
        role={role}
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
      >
        <div className={css.top}>
          <h2 id={titleId} className={css.title} tabIndex={-1}>
            {title}
          </h2>
          <IconButton label={t`Close`} icon={CloseIcon} variant="subtle" tip="none" onClick={onClose} data-close />
        </div>
        {children !== undefined && <div className={css.body}>{children}</div>}
        {footer !== undefined && <div className={css.footer}>{footer}</div>}
      </div>
    </div>,
    document.body,
  );
}

const layers: HTMLElement[] = [];

/** The page behind the dialogs, and every dialog but the topmost, cannot be reached by any means. */
function restAllButTheLast(): void {
  const page = document.getElementById('root');
  if (page) page.inert = layers.length > 0;
  layers.forEach((layer, i) => (layer.inert = i < layers.length - 1));
}

function firstField(layer: HTMLElement): HTMLElement | null {
  const find = (selector: string) => layer.querySelector<HTMLElement>(selector);
  return (
    find('[data-autofocus]') ??
    find('input:not(:disabled), textarea:not(:disabled), select:not(:disabled)') ??
    find('button:not([data-close], :disabled), a[href]') ??
    find('[data-close]')
  );
}

interface ConfirmProps {
  /** The question, naming person and effect. */
  title: ReactNode;
  /** The verb, not "OK". */
  confirm: ReactNode;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks before something leaves the house. Starts on Cancel. */
export function ConfirmDialog({ title, confirm, danger, busy, onConfirm, onClose, children }: ConfirmProps) {
  const { t } = useLingui();
  const footer = (
    <>
      <Button onClick={onClose} data-autofocus>
        {t`Cancel`}
      </Button>
      <Button variant={danger ? 'danger' : 'filled'} busy={busy} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={footer} size="s" role="alertdialog">
      {children}
    </Dialog>
  );
}
