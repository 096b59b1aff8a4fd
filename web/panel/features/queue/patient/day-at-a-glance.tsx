import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { queueStages } from '#contract/sign-in/session.ts';
import { Minutes, minutesSince } from '#web/kit/format.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { PatientName } from '#web/panel/features/queue/privacy.tsx';
import { useStageNames } from '#web/panel/features/queue/list/stage-names.ts';
import { stagesOf } from '#web/panel/features/queue/list/stages.ts';
import { useQueueSettings } from '#web/panel/features/queue/visits/use-queue.ts';
import css from './day-at-a-glance.module.css';

interface DayAtAGlanceProps {
  /** Today's visits; there is at least one. */
  visits: readonly QueueEntry[];
  /** Messages of patients that no desk has read. */
  unread: number;
  now: number;
}

/**
 * Shown beside the list while no patient is selected: how the day goes. The stages are counted as the list and its chips count them; all
 * who wait for their call, in whichever stage, have a name of their own.
 */
export function DayAtAGlance({ visits, unread, now }: DayAtAGlanceProps) {
  const { t } = useLingui();
  const names = useStageNames();
  const stages = stagesOf(visits, useQueueSettings().lateMinutes, now);
  const uncalled = visits.filter(({ statusCode }) => statusCode === 'WAITING');
  const minutes = uncalled.map(({ createdAt }) => minutesSince(createdAt, now));
  const longest = uncalled.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))[0];
  const average = Math.round(minutes.reduce((sum, value) => sum + value, 0) / minutes.length);
  // Without a name nobody has said yet who comes, and so which forms are missing.
  const ready = uncalled.filter(
    ({ patientName, forms }) => patientName.trim() !== '' && forms.every(({ complete }) => complete),
  );
  const waits: [string, ReactNode][] = [
    [t`Not called yet`, uncalled.length],
    [
      t`Ready to call`,
      <Fragment key="ready">
        {ready.length}
        {ready[0] && <PatientLink visit={ready[0]} />}
      </Fragment>,
    ],
    [
      t`Longest wait`,
      <Fragment key="longest">
        <Minutes value={Math.max(...minutes)} />
        {longest && <PatientLink visit={longest} />}
      </Fragment>,
    ],
    [t`Average wait`, <Minutes key="average" value={average} />],
  ];
  const facts: [string, ReactNode][] = [
    ...queueStages.map((stage): [string, ReactNode] => [names[stage], stages[stage].length]),
    ...(uncalled.length > 0 ? waits : []),
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

function PatientLink({ visit: { id, patientName, username } }: { visit: QueueEntry }) {
  return (
    <Link to="/dashboard" search={{ visit: id }} className={css.who}>
      <PatientName name={patientName} phone={username} />
    </Link>
  );
}
