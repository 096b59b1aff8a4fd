import { useLingui } from '@lingui/react/macro';
import { useDeferredValue, useRef, useState } from 'react';
import type { QueueStage } from '#contract/sign-in/session.ts';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { useSession } from '#web/kit/session.ts';
import { useTitle, useTitleCount } from '#web/kit/title.ts';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import panes from '#web/panel/ui/list-and-detail.module.css';
import { ListPane } from '#web/panel/features/queue/list/list-pane.tsx';
import { PatientPane } from '#web/panel/features/queue/patient/patient-pane.tsx';
import { useShownName } from '#web/panel/features/queue/privacy.tsx';
import { selectNoSample, useSampleQueue } from '#web/panel/features/queue/first-steps/sample-store.ts';
import css from './queue-page.module.css';
import { refusedMoves } from '#web/panel/features/queue/moves/refused-moves.ts';
import { useNewArrivals } from '#web/panel/features/queue/news/use-arrivals.ts';
import { usePaymentNews } from '#web/panel/features/queue/news/use-payment-news.ts';
import { useQueueAddress } from './use-queue-address.ts';
import { useQueueLists } from '#web/panel/features/queue/list/use-queue-lists.ts';
import { useQueueKeys } from '#web/panel/features/queue/keys/use-queue-keys.ts';
import { useQueueActions, type DialogName } from '#web/panel/features/queue/moves/use-queue-actions.ts';
import { useQueueDialogs } from './use-queue-dialogs.ts';

/** Announces a refusal to screen readers and to staff who do not see its row. */
function RefusalAlert() {
  const newest = refusedMoves.useNewest();
  const shownName = useShownName();
  return <VisuallyHidden role="alert">{newest && `${shownName(newest.name)}: ${newest.message}`}</VisuallyHidden>;
}

/** The live queue: the lists of patients on the left, the chosen patient on the right. */
export function QueuePage() {
  const { t } = useLingui();
  useTitle(t`Check-in`);
  const { visitId, go } = useQueueAddress();
  const samples = useSampleQueue(useSession().office?.id);
  // The list steps at once; the pane, which is ten times the work, follows in a render that a key interrupts.
  const shownId = useDeferredValue(visitId);
  const sample = shownId ? undefined : samples?.patients.find(({ visit }) => visit.id === samples.selectedId);
  const [showsSteps, setShowsSteps] = useState(false);
  const [search, setSearch] = useState('');
  const [only, setOnly] = useState<QueueStage>();
  const [dialog, setDialog] = useState<DialogName>();
  const [correcting, setCorrecting] = useState<SmsCheckin>();
  const dialogs = useQueueDialogs();
  const close = () => {
    setDialog(undefined);
    setCorrecting(undefined);
  };
  const list = useRef<HTMLDivElement>(null);
  const searchBox = useRef<HTMLInputElement>(null);

  const lists = useQueueLists(search, only);
  const { here, waiting, shown, all, chosen } = lists;
  usePaymentNews(lists.arrived);
  useTitleCount(waiting.length);
  const unread = lists.inQueue.reduce((sum, visit) => sum + visit.unreadMessages, 0);
  const newIds = useNewArrivals();
  const showOnly = (stage: QueueStage) => setOnly(stage === only ? undefined : stage);
  const isNew = useSession().office?.firstSteps === true;
  const steps = useQueueActions({
    shown,
    all,
    here,
    list,
    // Without its code, a dialog that cannot be loaded now must not keep the keys.
    open: (name) => (dialogs || navigator.onLine) && setDialog(name),
    clearSearch: () => setSearch(''),
  });
  useQueueKeys(steps, searchBox, { showOnly, enabled: dialog === undefined });

  return (
    <div
      className={classNames(panes.page, css.page)}
      data-chosen={shownId !== undefined || sample !== undefined || (showsSteps && isNew) || undefined}
    >
      <h1 className={panes.title}>{t`Check-in`}</h1>
      <RefusalAlert />
      <ListPane
        lists={lists}
        unread={unread}
        only={only}
        onOnly={showOnly}
        newIds={newIds}
        search={search}
        onSearch={setSearch}
        searchBox={searchBox}
        list={list}
        steps={steps}
        isTexting={dialog === 'text'}
        onCorrect={setCorrecting}
        onFirstSteps={() => {
          go({ visit: undefined });
          selectNoSample();
          setShowsSteps(true);
        }}
      />
      <PatientPane
        visitId={shownId}
        isBehind={shownId !== visitId}
        row={shownId === visitId ? chosen : all.find(({ id }) => id === shownId)}
        today={lists.today}
        move={steps.move}
        onBack={steps.leave}
        visits={here}
        unread={unread}
        now={lists.now}
        sample={sample}
        onText={steps.textSomebody}
        onCloseSteps={() => setShowsSteps(false)}
      />
      {dialogs && (dialog || correcting) && (
        <dialogs.QueueDialogs
          dialog={dialog}
          correcting={correcting}
          visits={here ?? []}
          chosen={chosen}
          steps={steps}
          onClose={close}
        />
      )}
    </div>
  );
}
