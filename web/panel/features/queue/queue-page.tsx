import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { useTitle, useTitleCount } from '#web/kit/title.ts';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import panes from '#web/panel/ui/list-and-detail.module.css';
import { CommandPalette } from './command-palette.tsx';
import { useCommands } from './palette-commands.ts';
import { KeyboardHelp } from './keyboard-help.tsx';
import { ListPane } from './list-pane.tsx';
import { NoPatientSelected } from './no-patient-selected.tsx';
import { useShownName } from './privacy.tsx';
import css from './queue-page.module.css';
import { refusedMoves } from './refused-moves.ts';
import { useWantsSound } from './sound-switch.tsx';
import { TextNewPatient } from './text-new-patient.tsx';
import { useArrivals } from './use-arrivals.ts';
import { usePaymentNews } from './use-payment-news.ts';
import { useQueueAddress } from './use-queue-address.ts';
import { useQueueLists } from './use-queue-lists.ts';
import { useQueueKeys } from './use-queue-keys.ts';
import { useQueueActions, type DialogName } from './use-queue-actions.ts';
import { VisitPanel } from './visit-panel.tsx';

/** Announces a refusal to screen readers and to staff who do not see its row. */
function Refused() {
  const newest = refusedMoves.useNewest();
  const shownName = useShownName();
  return <VisuallyHidden role="alert">{newest && `${shownName(newest.name)}: ${newest.message}`}</VisuallyHidden>;
}

/** The live queue: the lists of patients on the left, the chosen patient on the right. */
export function QueuePage() {
  const { t } = useLingui();
  useTitle(t`Check-in`);
  const { visitId } = useQueueAddress();
  const [search, setSearch] = useState('');
  const [dialog, setDialog] = useState<DialogName>();
  const [correcting, setCorrecting] = useState<SmsCheckin>();
  const close = () => setDialog(undefined);
  const list = useRef<HTMLDivElement>(null);
  const searchBox = useRef<HTMLInputElement>(null);

  const lists = useQueueLists(search);
  const { here, waiting, shown, all, chosen, isToday } = lists;
  usePaymentNews(lists.arrived);
  useTitleCount(waiting.length);
  const arrivals = useArrivals(lists.arrived, useWantsSound() === true);
  const steps = useQueueActions({
    shown,
    all,
    chosen,
    isToday,
    list,
    open: setDialog,
    clearSearch: () => setSearch(''),
  });
  useQueueKeys(steps, searchBox);
  const commands = useCommands(chosen, steps);

  return (
    <div className={classNames(panes.page, css.page)} data-chosen={visitId !== undefined || undefined}>
      <h1 className={panes.title}>{t`Check-in`}</h1>
      <VisuallyHidden role="status">{arrivals}</VisuallyHidden>
      <Refused />
      <ListPane
        query={lists.query}
        waiting={waiting}
        ended={lists.ended}
        shown={shown}
        search={search}
        onSearch={setSearch}
        searchBox={searchBox}
        list={list}
        steps={steps}
        settings={lists.settings}
        now={lists.now}
        today={lists.today}
        day={lists.day}
        expected={lists.expected}
        onCorrect={setCorrecting}
      />
      <section className={panes.detail} aria-label={t`Patient`}>
        {visitId ? (
          <VisitPanel visitId={visitId} row={chosen} today={lists.today} move={steps.move} onBack={steps.leave} />
        ) : (
          <NoPatientSelected />
        )}
      </section>
      {dialog === 'palette' && (
        <CommandPalette
          visits={here ?? []}
          commands={commands}
          onVisit={({ id }) => steps.choose(id)}
          onClose={close}
        />
      )}
      {dialog === 'help' && <KeyboardHelp onClose={close} />}
      {dialog === 'text' && <TextNewPatient onClose={close} />}
      {correcting && (
        <TextNewPatient key={correcting._id} correcting={correcting} onClose={() => setCorrecting(undefined)} />
      )}
    </div>
  );
}
