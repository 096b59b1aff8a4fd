import { useLingui } from '@lingui/react/macro';
import { endReasons, type QueueEntry, type VisitEvent } from '#contract/queue.ts';
import { Time } from '#web/kit/format.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './visit-panel.module.css';
import { useEndReasonLabel, VisitStatusBadge } from './visit-status.tsx';

/** The visit's status and every move that led to it: when, what, who. */
export function StatusHistory({ visit, history }: { visit: QueueEntry; history: VisitEvent[] | undefined }) {
  const { t } = useLingui();
  return (
    <Card level={3} title={t`Status`} actions={<VisitStatusBadge visit={visit} />}>
      {history ? (
        <ol className={css.events}>
          {history.map((event, i) => (
            <li key={i}>
              <Time at={event.at} />
              <EventWords event={event} />
            </li>
          ))}
        </ol>
      ) : (
        <Skeleton width={220} />
      )}
    </Card>
  );
}

function EventWords({ event }: { event: VisitEvent }) {
  const { t } = useLingui();
  const reasons = useEndReasonLabel();
  const { move, by, byName, note } = event;
  const labels: Record<string, string> = {
    expect: t`Text sent`,
    arrive: t`Arrived`,
    invite: t`Invited`,
    reinvite: t`Invited again`,
    remind: t`Invited again`,
    onMyWay: t`Is on the way`,
    imIn: t`Done!`,
    cancel: t`Canceled`,
    finish: t`Moved to History`,
    remove: t`Removed`,
    moveBack: t`Moved back`,
  };
  const reason = endReasons.find((known) => known === note);
  const who = {
    staff: byName ?? t`front desk`,
    patient: t`patient`,
    timer: t`automatic invite`,
    operator: t`operator`,
  }[by];
  return (
    <span>
      {labels[move] ?? move}
      {note && `: ${reason ? reasons[reason] : note}`}
      <span className={css.quiet}> · {who}</span>
    </span>
  );
}
