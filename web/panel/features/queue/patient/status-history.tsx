import { useLingui } from '@lingui/react/macro';
import { endReasons, type QueueEntry, type VisitEvent } from '#contract/queue.ts';
import { Time } from '#web/kit/format.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './visit-panel.module.css';
import { useEndReasonLabel, VisitStatusBadge } from '#web/panel/features/queue/card/visit-status.tsx';

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
              <EventText event={event} />
            </li>
          ))}
        </ol>
      ) : (
        <Skeleton width={220} />
      )}
    </Card>
  );
}

function EventText({ event }: { event: VisitEvent }) {
  const { t } = useLingui();
  const reasons = useEndReasonLabel();
  const { move, by, byName, note } = event;
  const who = {
    staff: byName ?? t`The front desk`,
    patient: t`The patient`,
    timer: t`Auto-invite`,
    operator: t`The operator`,
  }[by];
  const sentences: Record<string, string> = {
    expect: by === 'staff' ? t`${who} texted the check-in link` : t`Text sent`,
    arrive: by === 'patient' ? t`Patient arrived` : t`${who} marked the patient as arrived`,
    invite: t`${who} invited the patient`,
    reinvite: t`${who} invited the patient again`,
    remind: t`${who} invited the patient again`,
    onMyWay: t`Patient is on the way`,
    imIn: t`Done! Patient is inside`,
    cancel: t`Patient canceled`,
    finish: t`${who} moved the patient to History`,
    remove: t`${who} removed the patient`,
    moveBack: t`${who} moved the patient back`,
  };
  const reason = endReasons.find((known) => known === note);
  return (
    <span>
      {sentences[move] ?? `${move} · ${who}`}
      {note && `: ${reason ? reasons[reason] : note}`}
    </span>
  );
}
