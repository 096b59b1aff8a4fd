import { Trans, useLingui } from '@lingui/react/macro';
import type { QueueEntry } from '#contract/queue.ts';
import { Time, WaitingTime } from '#web/kit/format.tsx';
import { Avatar } from '#web/panel/ui/avatar.tsx';
import { visitNameId } from '#web/panel/features/queue/keys/panel-places.ts';
import { PatientName } from '#web/panel/features/queue/privacy.tsx';
import css from './visit-panel.module.css';
import { VisitStatusBadge } from '#web/panel/features/queue/card/visit-status.tsx';

/** The patient's name and status. */
export function VisitHeading({ visit }: { visit: QueueEntry }) {
  const { t } = useLingui();
  return (
    <div className={css.heading}>
      <Avatar name={visit.patientName} size={48} />
      <div className={css.who}>
        <h2 id={visitNameId} className={css.name} tabIndex={-1}>
          <PatientName name={visit.patientName} phone={visit.username} />
        </h2>
        <div className={css.where}>
          <VisitStatusBadge visit={visit} />
          <span>
            {t`Arrived`} <Time at={visit.createdAt} /> ·{' '}
            <Trans>
              <WaitingTime since={visit.createdAt} /> ago
            </Trans>
          </span>
        </div>
      </div>
    </div>
  );
}
