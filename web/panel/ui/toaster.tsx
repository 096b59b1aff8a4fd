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
import css from './toaster.module.css';
import { dismissToast, useToasts, type Toast } from './toasts.ts';
import type { Tone } from './status-badge.tsx';

const icons: Partial<Record<Tone, Icon>> = { green: CheckCircleIcon, red: WarningIcon, amber: WarningIcon };

/** Where toasts appear: once per page, outside of what dialogs put to rest. Pointing at one or focusing it stops the clock. */
export function Toaster() {
  const { t } = useLingui();
  const toasts = useToasts();
  const [held, setHeld] = useState(false);
  const cameFrom = useRef<Element | null>(null);

  const onFocus = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget;
    setHeld(true);
  };
  const close = (id: number) => {
    dismissToast(id);
    setHeld(false);
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true });
  };

  return createPortal(
    <section aria-label={t`Notifications`} className={css.toaster}>
      <ol
        aria-live="polite"
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={onFocus}
        onBlur={() => setHeld(false)}
      >
        {toasts.map((toast) => (
          <OneToast key={toast.id} toast={toast} held={held} onClose={() => close(toast.id)} />
        ))}
      </ol>
    </section>,
    document.body,
  );
}

function OneToast({ toast, held, onClose }: { toast: Toast & { id: number }; held: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const { title, text, tone = 'green', seconds = 5, action, id } = toast;
  const leftMs = useRef(seconds * 1000);
  const ToastIcon = icons[tone] ?? InfoIcon;

  useEffect(() => {
    if (held) return;
    const started = Date.now();
    const timer = setTimeout(() => dismissToast(id), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current -= Date.now() - started;
    };
  }, [held, id]);

  const act = () => {
    action?.run();
    onClose();
  };
  return (
    <li className={classNames(css.toast, css[tone])}>
      <ToastIcon size={18} className={css.icon} />
      <div className={css.words}>
        <p className={css.title}>{title}</p>
        {text !== undefined && <p>{text}</p>}
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
