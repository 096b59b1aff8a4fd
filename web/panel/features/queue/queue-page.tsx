import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { isHistory } from '#contract/queue.ts';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { useNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { useTitle, useTitleCount } from '#web/kit/title.ts';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import { CommandPalette } from './command-palette.tsx';
import { useCommands } from './palette-commands.ts';
import { KeyboardHelp } from './keyboard-help.tsx';
import { lastEndedFirst, longestFirst } from './lateness.ts';
import { ListPane } from './list-pane.tsx';
import { dayOf } from './office-day.ts';
import { useWithPending } from './pending-moves.ts';
import { useShownName } from './privacy.tsx';
import css from './queue-page.module.css';
import { refusedMoves } from './refused-moves.ts';
import { searchVisits } from './search-visits.ts';
import { useWantsSound } from './sound-switch.tsx';
import { TextNewPatient } from './text-new-patient.tsx';
import { useArrivals } from './use-arrivals.ts';
import { useExpected } from './use-expected.ts';
import { useQueueAddress } from './use-queue-address.ts';
import { useDay, useQueueHints, useQueueSettings, useToday } from './use-queue.ts';
import { useQueueKeys } from './use-queue-keys.ts';
import { useQueueActions, type DialogName } from './use-queue-actions.ts';
import { NoPatientSelected, VisitPanel } from './visit-panel.tsx';

/** Announces a refusal to screen readers and to staff who do not see its row. */
function Refused() {
  const newest = refusedMoves.useNewest();
  const shownName = useShownName();
  return <VisuallyHidden role="alert">{newest && `${shownName(newest.name)}: ${newest.words}`}</VisuallyHidden>;
}

/** The live queue: who is here on the left, the chosen patient on the right. */
export function QueuePage() {
  const { t } = useLingui();
  useTitle(t`Check-in`);
  const { tab, visitId, day: asked } = useQueueAddress();
  const [search, setSearch] = useState('');
  const [dialog, setDialog] = useState<DialogName>();
  const [correcting, setCorrecting] = useState<SmsCheckin>();
  const close = () => setDialog(undefined);
  const list = useRef<HTMLDivElement>(null);
  const searchBox = useRef<HTMLInputElement>(null);

  const now = useNow();
  const today = dayOf(now, useOfficeZone());
  const settings = useQueueSettings();
  const todays = useToday();
  const otherDay = asked !== undefined && asked < today ? asked : undefined;
  const others = useDay(tab === 'history' ? otherDay : undefined);
  const expected = useExpected(today);
  useQueueHints(visitId);

  const here = useWithPending(todays.data);
  const past = useWithPending(others.data);
  const waiting = longestFirst(
    here?.filter(({ statusCode }) => !isHistory(statusCode)) ?? [],
    settings.lateMinutes,
    now,
  );
  const ended = lastEndedFirst((otherDay ? past : here?.filter(({ statusCode }) => isHistory(statusCode))) ?? []);
  const shown = searchVisits(tab === 'history' ? ended : waiting, search);
  const all = otherDay ? [...(here ?? []), ...(past ?? [])] : (here ?? []);
  const chosen = all.find(({ id }) => id === visitId);
  const isToday = chosen === undefined || (here?.includes(chosen) ?? false);

  useTitleCount(waiting.length);
  const arrivals = useArrivals(todays.data, useWantsSound() === true);
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
    <div className={css.page} data-chosen={visitId !== undefined || undefined}>
      <h1 className={css.title}>{t`Check-in`}</h1>
      <VisuallyHidden role="status">{arrivals}</VisuallyHidden>
      <Refused />
      <ListPane
        query={tab === 'history' && otherDay ? others : todays}
        waiting={waiting}
        ended={ended}
        shown={shown}
        search={search}
        onSearch={setSearch}
        searchBox={searchBox}
        list={list}
        steps={steps}
        settings={settings}
        now={now}
        today={today}
        day={otherDay ?? today}
        expected={expected}
        onCorrect={setCorrecting}
      />
      <section className={css.detail} aria-label={t`Patient`}>
        {visitId ? (
          <VisitPanel visitId={visitId} row={chosen} today={today} move={steps.move} onBack={steps.leave} />
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
