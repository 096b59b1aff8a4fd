import { Trans } from '@lingui/react/macro';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { QueueSettings } from '#contract/practice/office.ts';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { formatDay } from '#web/kit/format.tsx';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { FlagIcon } from '#web/icons/flag.tsx';
import { daysFrom, timeOfDay, weekdayOf } from '#web/kit/office-clock.ts';
import { CloseAsSeen } from './close-as-seen.tsx';
import { useShownName } from '#web/panel/features/queue/privacy.tsx';
import css from '#web/panel/features/queue/page/queue-page.module.css';
import { dayQuery } from '#web/panel/features/queue/visits/use-queue.ts';

const monday = 0;
const isOpen = ({ statusCode }: QueueEntry) => !isHistory(statusCode);

/** The days to check for visits left open: yesterday, and back to Friday after a weekend. */
function daysBefore(today: string): string[] {
  return (weekdayOf(today) === monday ? [-1, -2, -3] : [-1]).map((days) => daysFrom(today, days));
}

/** Lists visits left open on previous days, with links to those days. */
export function VisitsLeftOpenBefore({ today, onDay }: { today: string; onDay: (day: string) => void }) {
  const cache = useQueryClient();
  const language = useLanguage();
  const days = daysBefore(today);
  const answers = useQueries({ queries: days.map((day) => ({ ...dayQuery(day, cache), staleTime: Infinity })) });
  return days.map((day, i) => {
    const open = answers[i]?.data?.filter(isOpen) ?? [];
    if (open.length === 0) return null;
    const name = formatDay(`${day}T12:00:00Z`, language, 'UTC');
    return (
      <div key={day} className={css.leftOpen} role="note">
        <FlagIcon />
        <span>
          <Trans>
            Still open from {name}: <Names visits={open} />
          </Trans>
        </span>
        <Button size="s" onClick={() => onDay(day)}>
          <Trans>Show</Trans>
        </Button>
      </div>
    );
  });
}

/** After closing time: lists today's visits that are still open. */
export function VisitsLeftOpenToday({ visits, hours, now, zone, today }: LeftOpenTodayProps) {
  const close = hours?.[weekdayOf(today)]?.close;
  const open = visits.filter(isOpen);
  if (!close || open.length === 0 || timeOfDay(now, zone) < close) return null;
  return (
    <div className={css.leftOpen} role="note">
      <FlagIcon />
      <span>
        <Trans>
          Past closing time. Still open: <Names visits={open} />
        </Trans>
      </span>
      <CloseAsSeen open={open} />
    </div>
  );
}

interface LeftOpenTodayProps {
  visits: readonly QueueEntry[];
  hours: QueueSettings['openingHours'];
  now: number;
  zone: string | undefined;
  today: string;
}

const namedAtMost = 5;

function Names({ visits }: { visits: readonly QueueEntry[] }) {
  const shownName = useShownName();
  const language = useLanguage();
  const names = visits.slice(0, namedAtMost).map(({ patientName, username }) => shownName(patientName, username));
  const more = visits.length - names.length;
  const list = new Intl.ListFormat(locales[language], { type: more > 0 ? 'unit' : 'conjunction' }).format(names);
  return (
    <strong>
      {list}
      {more > 0 && ` +${more}`}
    </strong>
  );
}
