import { useId, type ReactNode } from 'react';
import type { Icon } from '#web/icons/shape.tsx';
import css from './step-card.module.css';

interface StepCardProps {
  icon: Icon;
  title: string;
  /** It appeared without a user action, so screen readers announce it. */
  status?: boolean;
  children: ReactNode;
}

/** One step before the panel: what it is about, and its buttons. */
export function StepCard({ icon: Icon, title, status = false, children }: StepCardProps) {
  const id = useId();
  return (
    <section className={css.card} aria-labelledby={id} {...(status && { role: 'status' })}>
      <span className={css.icon}>
        <Icon size={28} />
      </span>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** The text below the title. */
export function StepLead({ children }: { children: ReactNode }) {
  return <p className={css.lead}>{children}</p>;
}

/** A step that is loading, or could not be loaded. */
export function BareStep({ busy, children }: { busy?: boolean; children: ReactNode }) {
  return (
    <div className={css.card} aria-busy={busy}>
      {children}
    </div>
  );
}
