import type { KeyboardEvent, ReactNode } from 'react';
import css from './tabs.module.css';
import { Counter } from './status-badge.tsx';

interface Tab<Id extends string> {
  id: Id;
  label: ReactNode;
  count?: number;
}

interface TabsProps<Id extends string> {
  /** What the tabs choose between. */
  label: string;
  tabs: readonly Tab<Id>[];
  value: Id;
  onChange: (id: Id) => void;
  /** The id of the element that shows the chosen tab; give it role `tabpanel`. */
  panelId: string;
}

/** Tabs with counters. Arrow keys move and choose; one stop in the tab order. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, panelId }: TabsProps<Id>) {
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = tabs.findIndex((tab) => tab.id === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div className={css.tabs} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          className={css.tab}
          data-tab={tab.id}
          aria-selected={tab.id === value}
          aria-controls={panelId}
          tabIndex={tab.id === value ? 0 : -1}
          onClick={() => onChange(tab.id)}
        >
          {tab.label}
          {tab.count !== undefined && <Counter strong={tab.id === value}>{tab.count}</Counter>}
        </button>
      ))}
    </div>
  );
}
