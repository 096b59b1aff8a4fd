import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { Minutes, minutesSince } from '#web/kit/format.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import css from './day-at-a-glance.module.css';

interface DayAtAGlanceProps {
  /** Today's visits; there is at least one. */
  visits: readonly QueueEntry[];
  /** Messages of patients that no desk has read. */
  unread: number;
  now: number;
}

/** Shown beside the list while no patient is selected: how the day goes. */
export function DayAtAGlance({ visits, unread, now }: DayAtAGlanceProps) {
  const { t } = useLingui();
  const waiting = visits.filter(({ statusCode }) => statusCode === 'WAITING');
  const minutes = waiting.map(({ createdAt }) => minutesSince(createdAt, now));
  const average = Math.round(minutes.reduce((sum, value) => sum + value, 0) / minutes.length);
  const ready = waiting.filter(({ forms }) => forms.every(({ complete }) => complete)).length;
  const called = visits.filter(({ statusCode }) => statusCode === 'INVITED' || statusCode === 'REINVITED').length;
  const onTheWay = visits.filter(({ statusCode }) => statusCode === 'GOING').length;
  const waits: [string, ReactNode][] = [
    [t`Longest wait`, <Minutes key="longest" value={Math.max(...minutes)} />],
    [t`Average wait`, <Minutes key="average" value={average} />],
    [t`Ready to call`, ready],
  ];
  const facts: [string, ReactNode][] = [
    [t`Waiting`, waiting.length],
    ...(waiting.length > 0 ? waits : []),
    [t`Called`, called],
    [t`On the way`, onTheWay],
    [t`Unread in the queue`, unread],
    [t`In History`, visits.filter(({ statusCode }) => isHistory(statusCode)).length],
  ];
  return (
    <Card title={t`Today at a glance`}>
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
