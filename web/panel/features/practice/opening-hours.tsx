import { useLingui } from '@lingui/react/macro';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { ClosedDays } from './closed-days.tsx';
import css from './opening-hours.module.css';
import type { Draft } from './queue-settings-draft.ts';
import { WeekHours } from './week-hours.tsx';

interface OpeningHoursProps {
  draft: Draft;
  onEdit: (change: Partial<Draft>) => void;
  errorAt: (field: string) => { error: string } | undefined;
}

/** Always open, or the hours of each weekday; and the days on which the office is closed. */
export function OpeningHours({ draft: { alwaysOpen, days, closedDays }, onEdit, errorAt }: OpeningHoursProps) {
  const { t } = useLingui();
  return (
    <div className={css.stack}>
      <Checkbox
        toggle
        label={t`Always open`}
        hint={t`Otherwise patients cannot check in outside these hours; the page tells them when you open.`}
        checked={alwaysOpen}
        onChange={(event) => onEdit({ alwaysOpen: event.target.checked })}
      />
      {!alwaysOpen && <WeekHours days={days} onChange={(changed) => onEdit({ days: changed })} errorAt={errorAt} />}
      <ClosedDays days={closedDays} onChange={(changed) => onEdit({ closedDays: changed })} errorAt={errorAt} />
    </div>
  );
}
