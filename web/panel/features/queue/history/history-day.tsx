import { useLingui } from '@lingui/react/macro';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { controlClass } from '#web/panel/ui/field.tsx';
import { ChevronLeftIcon } from '#web/icons/chevron-left.tsx';
import { ChevronRightIcon } from '#web/icons/chevron-right.tsx';
import { daysFrom } from '#web/kit/office-clock.ts';
import css from '#web/panel/features/queue/page/queue-page.module.css';

interface HistoryDayProps {
  day: string;
  today: string;
  onDay: (day: string) => void;
}

/** Which day's History is shown: up to today. */
export function HistoryDay({ day, today, onDay }: HistoryDayProps) {
  const { t } = useLingui();
  const go = (to: string) => {
    if (to && to <= today) onDay(to);
  };
  return (
    <div className={css.day}>
      <IconButton
        label={t`Previous day`}
        icon={ChevronLeftIcon}
        variant="subtle"
        tip="none"
        onClick={() => go(daysFrom(day, -1))}
      />
      <input
        className={controlClass()}
        type="date"
        aria-label={t`Day`}
        value={day}
        max={today}
        required
        onChange={(event) => go(event.target.value)}
      />
      <IconButton
        label={t`Next day`}
        icon={ChevronRightIcon}
        variant="subtle"
        tip="none"
        disabled={day >= today}
        onClick={() => go(daysFrom(day, 1))}
      />
      {day !== today && (
        <Button variant="subtle" onClick={() => go(today)}>
          {t`Today`}
        </Button>
      )}
    </div>
  );
}
