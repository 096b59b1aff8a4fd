import { useLingui } from '@lingui/react/macro';
import { Select, TextInput } from '#web/panel/ui/field.tsx';
import css from './audit.module.css';
import type { Filter } from './use-audit.ts';

/** Filters by kind of entry and by days. Applies at once. */
export function AuditFilter({ filter, onChange }: { filter: Filter; onChange: (change: Partial<Filter>) => void }) {
  const { t } = useLingui();
  const { action, from, to } = filter;
  const turned = from !== '' && to !== '' && to < from;
  const kinds: [string, string][] = [
    ['', t`Everything`],
    ['visit.read', t`Visits opened`],
    ['queue.read', t`Queue viewed`],
    ['visit.move', t`Visit status changes`],
    ['visit', t`All about visits`],
    ['message', t`Messages sent`],
    ['text', t`Texts that failed`],
    ['settings', t`Settings changed`],
    ['session', t`Sign-ins and locks`],
    ['audit', t`Audit log viewed or checked`],
  ];
  return (
    <div className={css.filter} role="search" aria-label={t`Filter the audit log`}>
      <Select label={t`What`} value={action} onChange={(event) => onChange({ action: event.target.value })}>
        {kinds.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {kinds.every(([value]) => value !== action) && <option value={action}>{action}</option>}
      </Select>
      <TextInput
        type="date"
        label={t`From`}
        max="9999-12-31"
        value={from}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <TextInput
        type="date"
        label={t`To`}
        max="9999-12-31"
        value={to}
        {...(turned && { error: t`This day is before the first one.` })}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </div>
  );
}
