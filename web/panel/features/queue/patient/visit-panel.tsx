import { useLingui } from '@lingui/react/macro';
import type { OpenedVisit, QueueEntry } from '#contract/queue.ts';
import { CallError } from '#web/kit/call.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { IconButton } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { PrintedLine } from '#web/panel/ui/printed-line.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Indicators } from './indicators.tsx';
import { MessagesCard } from '#web/panel/features/queue/texting/messages-card.tsx';
import { dayOf } from '#web/kit/office-clock.ts';
import { BackToList, NotLoaded, PanelPlaceholder } from './panel-placeholder.tsx';
import { PatientInformation } from './patient-information.tsx';
import { refusedMoves } from '#web/panel/features/queue/moves/refused-moves.ts';
import { StatusHistory } from './status-history.tsx';
import type { MakeMove } from '#web/panel/features/queue/moves/use-move.ts';
import { useOpenedPlace } from './use-opened-place.ts';
import { useFormsCard } from '#web/panel/features/queue/forms/use-forms-card.ts';
import { useVisit } from '#web/panel/features/queue/visits/use-queue.ts';
import { VisitActions } from '#web/panel/features/queue/moves/visit-actions.tsx';
import { VisitHeading } from './visit-heading.tsx';
import css from './visit-panel.module.css';

export interface VisitPanelProps {
  visitId: string;
  /** The visit as the list shows it, with pending moves applied. */
  row: QueueEntry | undefined;
  today: string;
  move: MakeMove;
  /** Returns to the list on narrow screens. */
  onBack: () => void;
}

/** The selected patient with every detail and action. */
export function VisitPanel({ visitId, row, today, move, onBack }: VisitPanelProps) {
  const { t } = useLingui();
  const zone = useOfficeZone();
  const { data, error, refetch } = useVisit(visitId, row);
  const refused = refusedMoves.useHeld(visitId);
  const visit = row ?? data?.visit;
  const hasForms =
    visit !== undefined && (visit.forms.length > 0 || data?.memberForms.some(({ forms }) => forms.length > 0));
  const formsCard = useFormsCard(hasForms === true);
  const scroller = useOpenedPlace({ visitId, unread: data && visit?.unreadMessages });
  if (!visit) {
    return (
      <PanelPlaceholder onBack={onBack}>
        {error && <NotFound error={error} onRetry={() => void refetch()} />}
      </PanelPlaceholder>
    );
  }
  // Everything is undefined while it loads.
  const opened: Partial<OpenedVisit> = data ?? {};
  const isToday = dayOf(Date.parse(visit.createdAt), zone) === today;
  return (
    <div className={css.panel}>
      <div ref={scroller} className={css.scroll}>
        <div className={css.column}>
          <PrintedLine />
          <div className={css.top}>
            <BackToList onBack={onBack} />
            <VisitHeading visit={visit} />
            <span className={css.print}>
              <IconButton
                label={t`Print`}
                icon={PrintIcon}
                variant="subtle"
                tip="below-end"
                onClick={() => window.print()}
              />
            </span>
          </div>
          {refused && (
            <p className={css.refused}>
              <WarningIcon />
              {refused.message}
            </p>
          )}
          <PatientInformation visit={visit} contactName={opened.contactName ?? null} />
          {hasForms && formsCard && (
            <formsCard.FormsCard
              visit={visit}
              isToday={isToday}
              memberForms={opened.memberForms}
              request={opened.formRequest ?? null}
              requests={opened.texts?.forms}
              messages={opened.messages}
            />
          )}
          <Indicators visit={visit} isToday={isToday} />
          <MessagesCard
            key={visit.id}
            visit={visit}
            messages={opened.messages}
            hasOlder={opened.hasOlderMessages ?? false}
            newestReply={opened.newestReply ?? null}
            quiet={opened.quiet ?? null}
            failed={error !== null}
          />
          <StatusHistory visit={visit} history={opened.history} />
        </div>
      </div>
      <VisitActions visit={visit} isToday={isToday} move={move} texts={opened.texts} />
    </div>
  );
}

function NotFound({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useLingui();
  if (error instanceof CallError && error.status === 404) {
    return <EmptyState icon={PersonIcon} title={t`That patient is no longer in the queue.`} />;
  }
  return <NotLoaded onRetry={onRetry} />;
}
