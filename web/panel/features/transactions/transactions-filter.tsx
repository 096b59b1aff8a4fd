import { useLingui } from '@lingui/react/macro';
import { useState, type SubmitEvent } from 'react';
import type { TransactionFilter, TransactionStatus } from '#contract/transactions.ts';
import { SearchIcon } from '#web/icons/search.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Select, TextInput } from '#web/panel/ui/field.tsx';
import { useStatusNames } from './status-names.ts';
import css from './transactions.module.css';

interface TransactionsFilterProps {
  today: string;
  onFilter: (filter: TransactionFilter) => void;
}

/** Name, days and status; they apply when the form is submitted, or a status is chosen. */
export function TransactionsFilter({ today, onFilter }: TransactionsFilterProps) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [status, setStatus] = useState<TransactionStatus>('all');
  const [tried, setTried] = useState(false);
  const inFuture = t`Choose today or an earlier day.`;
  const bothDays = t`Choose both days, or none.`;
  const wrongFrom = from > today ? inFuture : to && !from ? bothDays : undefined;
  const wrongTo =
    to > today
      ? inFuture
      : from && !to
        ? bothDays
        : to < from
          ? t`The last day must not be before the first.`
          : undefined;
  const labels = useStatusNames();
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    apply(status);
  };
  const apply = (wanted: TransactionStatus) => {
    setTried(true);
    if (wrongFrom !== undefined || wrongTo !== undefined) return;
    onFilter({ status: wanted, ...(name.trim() && { patientName: name.trim() }), ...(from && { from, to }) });
  };
  return (
    <form className={css.filter} role="search" aria-label={t`Filter the transactions`} noValidate onSubmit={search}>
      <TextInput
        type="search"
        label={t`Patient name`}
        value={name}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <TextInput
        type="date"
        label={t`From`}
        max={today}
        value={from}
        error={tried ? wrongFrom : undefined}
        onChange={(event) => setFrom(event.target.value)}
      />
      <TextInput
        type="date"
        label={t`To`}
        max={today}
        value={to}
        error={tried ? wrongTo : undefined}
        onChange={(event) => setTo(event.target.value)}
      />
      <Select
        label={t`Payment status`}
        value={status}
        onChange={(event) => {
          const wanted = event.target.value as TransactionStatus;
          setStatus(wanted);
          apply(wanted);
        }}
      >
        {Object.entries(labels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Button type="submit" variant="filled" icon={SearchIcon}>
        {t`Search`}
      </Button>
    </form>
  );
}
