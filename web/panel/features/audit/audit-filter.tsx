import { useLingui } from '@lingui/react/macro';
import { Select, TextInput } from '#web/panel/ui/field.tsx';
import css from './audit.module.css';
import { PatientFilter } from './patient-filter.tsx';
import { useAuditPeople, type Filter } from './use-audit.ts';

interface AuditFilterProps {
  filter: Filter;
  /** The name of the patient in the filter; null until it is known. */
  patientName: string | null;
  onChange: (change: Partial<Filter>) => void;
}

/** Filters by patient, by person, by kind of entry and by days. Applies at once. */
export function AuditFilter({ filter, patientName, onChange }: AuditFilterProps) {
  const { t } = useLingui();
  const { action, patient, person, from, to } = filter;
  const people = useAuditPeople().data?.people ?? [];
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
    ['audit', t`Activity log viewed or checked`],
  ];
  return (
    <div className={css.filter} role="search" aria-label={t`Filter the activity log`}>
      <PatientFilter
        chosen={patient === '' ? null : (patientName ?? '…')}
        onChoose={(id) => onChange({ patient: id })}
      />
      <Select label={t`Who`} value={person} onChange={(event) => onChange({ person: event.target.value })}>
        <option value="">{t`Everybody`}</option>
        {people.map(({ id, name, isColleague }) => (
          <option key={id} value={id}>
            {isColleague ? name : t`${name} (former colleague)`}
          </option>
        ))}
        {person !== '' && people.every(({ id }) => id !== person) && <option value={person}>…</option>}
      </Select>
      <Select label={t`What`} value={action} onChange={(event) => onChange({ action: event.target.value })}>
        {kinds.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {kinds.every(([value]) => value !== action) && <option value={action}>{action}</option>}
      </Select>
      <div className={css.range}>
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
          {...(turned && { error: t`The last day must not be before the first.` })}
          onChange={(event) => onChange({ to: event.target.value })}
        />
      </div>
    </div>
  );
}
