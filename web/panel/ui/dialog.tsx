import { useLingui } from '@lingui/react/macro';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from './button.tsx';
import css from './dialog.module.css';
import { classNames } from './class-names.ts';
import { CloseIcon } from '#web/icons/close.tsx';
import { openModal } from './modal-stack.ts';

interface DialogProps {
  title: ReactNode;
  onClose: () => void;
  /** The buttons, the main one last. */
  footer?: ReactNode;
  size?: 's' | 'm' | 'l';
  /** `alertdialog` for a question that must be answered. */
  role?: 'alertdialog';
  children?: ReactNode;
}

/**
 * A modal dialog on the platform's `<dialog>`, open while it is mounted. The browser makes the page behind it inert and returns the
 * focus when it closes. The focus starts on `data-autofocus` or the first field. Escape and a press beside it ask to close it.
 */
export function Dialog({ title, onClose, footer, size = 'm', role, children }: DialogProps) {
  const { t } = useLingui();
  const titleId = useId();
  const layer = useRef<HTMLDialogElement>(null);

  // A layout effect: its cleanup runs while the dialog is still in the page, so that closing it returns the focus.
  useLayoutEffect(() => {
    const dialog = layer.current;
    if (!dialog) return;
    const close = openModal(dialog);
    firstField(dialog)?.focus();
    return close;
  }, []);

  return createPortal(
    <dialog
      ref={layer}
      className={css.layer}
      role={role}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A file picker inside the dialog has a cancel event too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget) return;
        // Otherwise the press would take the focus that closing returns.
        event.preventDefault();
        onClose();
      }}
    >
      <div className={classNames(css.dialog, css[size])}>
        <div className={css.top}>
          <h2 id={titleId} className={css.title} tabIndex={-1}>
            {title}
          </h2>
          <IconButton label={t`Close`} icon={CloseIcon} variant="subtle" tip="none" onClick={onClose} data-close />
        </div>
        {children !== undefined && <div className={css.body}>{children}</div>}
        {footer !== undefined && <div className={css.footer}>{footer}</div>}
      </div>
    </dialog>,
    document.body,
  );
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
  /** The question, with the person and the effect. */
  title: ReactNode;
  /** A verb, not "OK". */
  confirm: ReactNode;
  /** What leaves everything as it is: 'Cancel', where canceling is not the action itself. */
  keep?: ReactNode;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks before an action that reaches others or cannot be undone. The focus starts on the button that changes nothing. */
export function ConfirmDialog({ title, confirm, keep, danger, busy, onConfirm, onClose, children }: ConfirmProps) {
  const { t } = useLingui();
  const footer = (
    <>
      <Button onClick={onClose} data-autofocus>
        {keep ?? t`Cancel`}
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
