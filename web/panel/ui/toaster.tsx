import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FocusEvent } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { CloseIcon } from '#web/icons/close.tsx';
import { InfoIcon } from '#web/icons/info.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { toastRoot } from './modal-stack.ts';
import css from './toaster.module.css';
import { dismissToast, useToasts, type Toast } from './toasts.ts';
import type { Tone } from './status-badge.tsx';

const icons: Partial<Record<Tone, Icon>> = { green: CheckCircleIcon, red: WarningIcon, amber: WarningIcon };

/**
 * The list of toasts, once per page. A toast stays while the pointer is on it or it has the focus; a pointer that only rests where one
 * appears, such as on a card of the queue, keeps none.
 */
export function Toaster() {
  const { t } = useLingui();
  const toasts = useToasts();
  const [isPaused, setIsPaused] = useState(false);
  const cameFrom = useRef<Element | null>(null);

  const onFocus = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget;
    setIsPaused(true);
  };
  const close = (id: number) => {
    dismissToast(id);
    setIsPaused(false);
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true });
  };

  return createPortal(
    <section aria-label={t`Notifications`} className={css.toaster}>
      <ol
        aria-live="polite"
        onPointerMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setIsPaused(true)}
        onPointerLeave={() => setIsPaused(false)}
        onFocus={onFocus}
        onBlur={() => setIsPaused(false)}
      >
        {toasts.map((toast) => (
          <OneToast key={toast.id} toast={toast} isPaused={isPaused} onClose={() => close(toast.id)} />
        ))}
      </ol>
    </section>,
    toastRoot(),
  );
}

function OneToast({
  toast,
  isPaused,
  onClose,
}: {
  toast: Toast & { id: number };
  isPaused: boolean;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { title, text, name, tone = 'green', seconds = 5, action, id } = toast;
  const leftMs = useRef(seconds * 1000);
  const ToastIcon = icons[tone] ?? InfoIcon;

  useEffect(() => {
    if (isPaused) return;
    const started = Date.now();
    const timer = setTimeout(() => dismissToast(id), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current -= Date.now() - started;
    };
  }, [isPaused, id]);

  const act = () => {
    action?.run();
    onClose();
  };
  return (
    <li className={classNames(css.toast, css[tone])}>
      <ToastIcon size={18} className={css.icon} />
      <div className={css.text}>
        <p className={css.title}>{title}</p>
        {text !== undefined && <p>{text}</p>}
        {name !== undefined && (
          <p className={css.name}>
            <bdi>{name}</bdi>
          </p>
        )}
      </div>
      {action && (
        <Button size="s" onClick={act}>
          {action.label}
        </Button>
      )}
      <IconButton label={t`Close`} icon={CloseIcon} size="s" variant="subtle" tip="none" onClick={onClose} />
    </li>
  );
}
