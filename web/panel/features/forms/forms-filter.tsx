import { useLingui } from '@lingui/react/macro';
import { useId, useState, type SubmitEvent } from 'react';
import { serverNow } from '#web/kit/clock.ts';
import { formatDate, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { CloseIcon } from '#web/icons/close.tsx';
import { SearchIcon } from '#web/icons/search.tsx';
import css from './forms-filter.module.css';
import { dayOf } from '#web/kit/office-clock.ts';
import type { Filter } from './use-forms.ts';
import { useShownName } from './use-shown-name.ts';

interface FilterProps {
  filter: Filter;
  onFilter: (change: Partial<Filter>) => void;
}

/** Name and dates; they apply when the form is submitted. On a phone they are behind a button. Give it a new `key` when the filter changes. */
export function FormsFilter({ filter, onFilter }: FilterProps) {
  const { t } = useLingui();
  const today = dayOf(serverNow(), useOfficeZone());
  const [draft, setDraft] = useState(filter);
  const [tried, setTried] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { patientName, startDate, endDate } = draft;
  const change = (part: Partial<Filter>) => setDraft({ ...draft, ...part });
  const inFuture = t`Choose today or an earlier day.`;
  const bothDays = t`Choose both days, or none.`;
  const wrongStart = startDate > today ? inFuture : endDate && !startDate ? bothDays : undefined;
  const wrongEnd =
    endDate > today
      ? inFuture
      : startDate && !endDate
        ? bothDays
        : endDate < startDate
          ? t`The last day must not be before the first.`
          : undefined;
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrongStart === undefined && wrongEnd === undefined)
      onFilter({ patientName: patientName.trim(), startDate, endDate });
  };
  return (
    <>
      <div className={css.toggle}>
        <Button icon={SearchIcon} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {t`Search by name or day`}
        </Button>
      </div>
      <form
        id={id}
        className={css.filter}
        data-open={isOpen || undefined}
        role="search"
        aria-label={t`Filter the forms`}
        noValidate
        onSubmit={search}
      >
        <TextInput
          type="search"
          label={t`Patient name`}
          value={patientName}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => change({ patientName: event.target.value })}
        />
        <TextInput
          type="date"
          label={t`From`}
          max={today}
          value={startDate}
          error={tried ? wrongStart : undefined}
          onChange={(event) => change({ startDate: event.target.value })}
        />
        <TextInput
          type="date"
          label={t`To`}
          max={today}
          value={endDate}
          error={tried ? wrongEnd : undefined}
          onChange={(event) => change({ endDate: event.target.value })}
        />
        <Button type="submit" variant="filled" icon={SearchIcon}>
          {t`Search`}
        </Button>
      </form>
    </>
  );
}

/** The active filters, each with a button that removes it. The type is a chip above, except among the forms of one visit. */
export function FilterBadges({
  filter,
  onFilter,
  typeName,
  visitName,
}: FilterProps & { typeName: string; visitName: string }) {
  const { t } = useLingui();
  const { formType, startDate, endDate, patientName, visitId } = filter;
  const shownName = useShownName()(visitName);
  const language = useLanguage();
  const [first, last] = [startDate, endDate].map((day) => (day ? formatDate(day, language) : ''));
  const days =
    first && last ? (first === last ? first : `${first} – ${last}`) : first ? t`From ${first}` : t`To ${last}`;
  const badges = [
    {
      text: shownName ? t`${shownName}’s visit` : t`One visit`,
      on: visitId !== '',
      without: { visitId: '' },
    },
    { text: typeName, on: formType !== '' && visitId !== '', without: { formType: '' } },
    { text: patientName, on: patientName !== '', without: { patientName: '' } },
    { text: days, on: startDate !== '' || endDate !== '', without: { startDate: '', endDate: '' } },
  ].filter(({ on }) => on);
  if (badges.length === 0) return null;
  return (
    <ul className={css.badges} aria-label={t`Filters`}>
      {badges.map(({ text, without }) => (
        <li key={Object.keys(without)[0]}>
          <button
            type="button"
            className={css.badge}
            aria-label={t`Remove filter: ${text}`}
            onClick={() => onFilter(without)}
          >
            <span>{text}</span>
            <CloseIcon size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
}
