import { useLingui } from '@lingui/react/macro';
import type { QueueEntry } from '#contract/queue.ts';
import panes from '#web/panel/ui/list-and-detail.module.css';
import { lateFile, useFetch } from './late-file.ts';
import { NobodyWaits, NoPatientSelected } from './no-patient-selected.tsx';
import { NotLoaded, PanelPlaceholder } from './panel-placeholder.tsx';
import { useVisitPanel } from './use-visit-panel.ts';
import type { VisitPanelProps } from './visit-panel.tsx';

const glance = lateFile(() => import('./day-at-a-glance.tsx'));

interface PatientPaneProps extends Omit<VisitPanelProps, 'visitId'> {
  visitId: string | undefined;
  /** Today's visits that have not ended; undefined while they load. */
  waiting: readonly QueueEntry[] | undefined;
  /** Messages of patients that no desk has read. */
  unread: number;
  now: number;
}

/** The right side of the queue: the selected patient, or how the day goes. */
export function PatientPane({ visitId, waiting, unread, now, ...rest }: PatientPaneProps) {
  const { t } = useLingui();
  const { VisitPanel, hasFailed, retry } = useVisitPanel(visitId !== undefined);
  const someWait = waiting?.some(({ statusCode }) => statusCode === 'WAITING') === true;
  useFetch(glance, { isNeeded: someWait && visitId === undefined });
  const day = glance.useFile();
  return (
    <section className={panes.detail} aria-label={t`Patient`}>
      {visitId === undefined ? (
        <NoPatientSelected>
          {waiting && !someWait && <NobodyWaits />}
          {waiting && someWait && day && <day.DayAtAGlance visits={waiting} unread={unread} now={now} />}
        </NoPatientSelected>
      ) : VisitPanel ? (
        <VisitPanel visitId={visitId} {...rest} />
      ) : (
        <PanelPlaceholder onBack={rest.onBack}>{hasFailed && <NotLoaded onRetry={retry} />}</PanelPlaceholder>
      )}
    </section>
  );
}
