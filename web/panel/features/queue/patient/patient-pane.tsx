import { useLingui } from '@lingui/react/macro';
import type { QueueEntry } from '#contract/queue.ts';
import { useSession } from '#web/kit/session.ts';
import panes from '#web/panel/ui/list-and-detail.module.css';
import { lateFile, useFetch, useFetchWhenNeeded } from '#web/panel/features/queue/page/late-file.ts';
import { NobodyYet, NoPatientSelected } from './no-patient-selected.tsx';
import { NotLoaded, PanelPlaceholder } from './panel-placeholder.tsx';
import { paneId } from '#web/panel/features/queue/keys/panel-places.ts';
import css from './patient-pane.module.css';
import { selectNoSample, type SamplePatient } from '#web/panel/features/queue/first-steps/sample-store.ts';
import { useVisitPanel } from './use-visit-panel.ts';
import type { VisitPanelProps } from './visit-panel.tsx';

const glance = lateFile(() => import('./day-at-a-glance.tsx'));
const firstSteps = lateFile(() => import('#web/panel/features/queue/first-steps/first-steps-card.tsx'));
const samplePanel = lateFile(() => import('#web/panel/features/queue/first-steps/sample-panel.tsx'));

interface PatientPaneProps extends Omit<VisitPanelProps, 'visitId'> {
  /** The patient on screen. */
  visitId: string | undefined;
  /** Another patient is selected already, and the pane follows in a moment: until then nothing in it can be pressed. */
  isBehind: boolean;
  /** Today's visits; undefined while they load. */
  visits: readonly QueueEntry[] | undefined;
  /** Messages of patients that no desk has read. */
  unread: number;
  now: number;
  /** The sample patient that is selected. */
  sample: SamplePatient | undefined;
  /** Opens the dialog that texts a patient. */
  onText: () => void;
  /** Returns from the first steps to the list on narrow screens. */
  onCloseSteps: () => void;
}

/** The right side of the queue: the selected patient, or how the day goes. */
export function PatientPane(props: PatientPaneProps) {
  const { visitId, isBehind, visits, unread, now, sample, onText, onCloseSteps, ...rest } = props;
  const { t } = useLingui();
  const { VisitPanel, hasFailed, retry } = useVisitPanel(visitId !== undefined);
  const hasVisits = visits !== undefined && visits.length > 0;
  useFetch(glance, { isNeeded: hasVisits && visitId === undefined });
  const day = glance.useFile();
  const isNew = useSession().office?.firstSteps === true;
  const needsSteps = isNew && visitId === undefined;
  const needsSample = sample !== undefined;
  useFetchWhenNeeded(firstSteps, needsSteps);
  useFetchWhenNeeded(samplePanel, needsSample);
  const steps = firstSteps.useFile();
  const samples = samplePanel.useFile();
  const samplesFailed = samplePanel.useHasFailed();
  const today = hasVisits && day && <day.DayAtAGlance visits={visits} unread={unread} now={now} />;
  return (
    <section id={paneId} data-visit={visitId} inert={isBehind} className={panes.detail} aria-label={t`Patient`}>
      {sample ? (
        samples ? (
          <samples.SamplePanel patient={sample} />
        ) : (
          <PanelPlaceholder onBack={selectNoSample}>
            {samplesFailed && <NotLoaded onRetry={samplePanel.fetch} />}
          </PanelPlaceholder>
        )
      ) : visitId === undefined && isNew ? (
        <div className={css.steps}>
          {today}
          {steps && <steps.FirstStepsCard onText={onText} onBack={onCloseSteps} />}
        </div>
      ) : visitId === undefined ? (
        <NoPatientSelected>
          {visits && !hasVisits && <NobodyYet />}
          {today}
        </NoPatientSelected>
      ) : VisitPanel ? (
        <VisitPanel visitId={visitId} {...rest} />
      ) : (
        <PanelPlaceholder onBack={rest.onBack}>{hasFailed && <NotLoaded onRetry={retry} />}</PanelPlaceholder>
      )}
    </section>
  );
}
