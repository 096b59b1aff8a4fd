import { Trans, useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, type RefObject } from 'react';
import type { QueueEntry } from '#contract/queue.ts';
import type { QueueStage } from '#contract/sign-in/session.ts';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { CallError } from '#web/kit/call.ts';
import { Time, useForeignZone, useOfficeZone } from '#web/kit/format.tsx';
import { useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { SearchInput } from '#web/panel/ui/field.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Tabs } from '#web/panel/ui/tabs.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import panes from '#web/panel/ui/list-and-detail.module.css';
import { ExpectedPatients } from '#web/panel/features/queue/expected/expected-patients.tsx';
import { HistoryDay } from '#web/panel/features/queue/history/history-day.tsx';
import { VisitsLeftOpenBefore, VisitsLeftOpenToday } from '#web/panel/features/queue/history/left-open-visits.tsx';
import { ListSkeleton, EmptyList } from './empty-list.tsx';
import css from '#web/panel/features/queue/page/queue-page.module.css';
import { useSampleQueue } from '#web/panel/features/queue/first-steps/sample-store.ts';
import { SoundSwitch } from '#web/panel/features/queue/news/sound-switch.tsx';
import { NewArrivalsPill, StageChips } from './stage-chips.tsx';
import { useQueueAddress } from '#web/panel/features/queue/page/use-queue-address.ts';
import { useShowFirstSteps } from '#web/panel/features/queue/first-steps/use-first-steps.ts';
import type { QueueActions } from '#web/panel/features/queue/moves/use-queue-actions.ts';
import type { useQueueLists } from './use-queue-lists.ts';
import { ViewMenu } from '#web/panel/features/queue/page/view-menu.tsx';
import { Unread } from '#web/panel/features/queue/card/visit-card.tsx';
import { VisitList } from './visit-list.tsx';

const SampleList = lazy(() =>
  import('#web/panel/features/queue/first-steps/sample-list.tsx').then((file) => ({ default: file.SampleList })),
);

interface ListPaneProps {
  lists: ReturnType<typeof useQueueLists>;
  /** Messages of today's patients that no desk has read. */
  unread: number;
  /** The only stage on screen. */
  only: QueueStage | undefined;
  onOnly: (stage: QueueStage) => void;
  /** Visits that arrived a moment ago. */
  newIds: readonly string[];
  search: string;
  onSearch: (text: string) => void;
  searchBox: RefObject<HTMLInputElement | null>;
  list: RefObject<HTMLDivElement | null>;
  steps: QueueActions;
  /** The dialog that texts somebody is open. */
  isTexting: boolean;
  onCorrect: (checkin: SmsCheckin) => void;
  /** Shows the first steps of a new practice. */
  onFirstSteps: () => void;
}

/** Tabs, search and the cards. */
export function ListPane(props: ListPaneProps) {
  const { t } = useLingui();
  const { lists, unread, only, onOnly, newIds, search, onSearch, searchBox, list, steps, isTexting, onCorrect } = props;
  const { office } = useSession();
  const samples = useSampleQueue(office?.id);
  const showFirstSteps = useShowFirstSteps();
  const openFirstSteps = () => showFirstSteps.mutate(true, { onSuccess: props.onFirstSteps });
  const { query, today, day } = lists;
  const { tab, visitId, go } = useQueueAddress();
  const isQueue = tab === 'checkin' && query.data !== undefined;
  return (
    <section className={classNames(panes.pane, css.pane)} aria-label={t`Queue`} data-density={lists.density}>
      <QueueTabs lists={lists} unread={unread} steps={steps} />
      <ListTools
        search={search}
        onSearch={onSearch}
        searchBox={searchBox}
        list={list}
        steps={steps}
        onFirstSteps={openFirstSteps}
      />
      {isQueue && lists.inQueue.length > 0 && <StageChips stages={lists.stages} only={only} onOnly={onOnly} />}
      <SoundSwitch className={css.sound} />
      <ZoneNote />
      <StaleNote query={query} />
      {tab === 'history' && (
        <HistoryDay day={day} today={today} onDay={(to) => go({ day: to === today ? undefined : to })} />
      )}
      {isQueue && <AboveTheCards lists={lists} search={search} isTexting={isTexting} onCorrect={onCorrect} />}
      <Cards
        lists={lists}
        newIds={newIds}
        search={search}
        onSearch={onSearch}
        list={list}
        steps={steps}
        onFirstSteps={openFirstSteps}
      />
      {samples && isQueue && (
        <Suspense>
          <SampleList isOther={visitId !== undefined} onSelect={() => go({ visit: undefined })} />
        </Suspense>
      )}
    </section>
  );
}

function QueueTabs({ lists, unread, steps }: Pick<ListPaneProps, 'lists' | 'unread' | 'steps'>) {
  const { t } = useLingui();
  const { query, waiting, ended } = lists;
  const isCounted = query.data !== undefined;
  const checkin = (
    <>
      {t`Checkin`} <Unread count={unread} />
    </>
  );
  return (
    <Tabs
      label={t`Queue`}
      panelId="queue-list"
      value={useQueueAddress().tab}
      onChange={steps.showTab}
      tabs={[
        { id: 'checkin', label: checkin, count: isCounted ? waiting.length : undefined },
        { id: 'history', label: t`History`, count: isCounted ? ended.length : undefined },
      ]}
    />
  );
}

/** Who is expected, and whose visit was left open. */
function AboveTheCards({
  lists,
  search,
  isTexting,
  onCorrect,
}: Pick<ListPaneProps, 'lists' | 'search' | 'isTexting' | 'onCorrect'>) {
  const { waiting, expected, settings, now, today } = lists;
  const { go } = useQueueAddress();
  const zone = useOfficeZone();
  return (
    <>
      <ExpectedPatients
        expected={expected}
        isSearching={search.trim() !== ''}
        isTexting={isTexting}
        onCorrect={onCorrect}
      />
      <VisitsLeftOpenBefore today={today} onDay={(to) => go({ tab: 'history', day: to })} />
      <VisitsLeftOpenToday visits={waiting} hours={settings.openingHours} now={now} zone={zone} today={today} />
    </>
  );
}

/** The cards of the tab on screen, or why there are none. */
function Cards({
  lists,
  newIds,
  search,
  onSearch,
  list,
  steps,
  onFirstSteps,
}: Pick<ListPaneProps, 'lists' | 'newIds' | 'search' | 'onSearch' | 'list' | 'steps' | 'onFirstSteps'>) {
  const { t } = useLingui();
  const { query, rows, waiting, ended, expected, settings, now, today, day } = lists;
  const { tab, visitId } = useQueueAddress();
  return (
    <div
      id="queue-list"
      role="tabpanel"
      aria-label={tab === 'history' ? t`History` : t`Checkin`}
      className={css.panel}
      tabIndex={-1}
    >
      {!query.data && !query.error && <ListSkeleton />}
      {tab === 'checkin' && <NewArrivalsPill newIds={newIds} onOpen={steps.choose} />}
      {rows.length > 0 ? (
        <VisitList
          key={`${tab} ${day}`}
          label={t`Patients`}
          rows={rows}
          visits={lists.shown}
          selectedId={visitId}
          newIds={newIds}
          now={now}
          limits={settings.lateMinutes}
          density={lists.density}
          listRef={list}
          onSelect={steps.choose}
          onEnter={steps.enter}
          onHover={lists.onHover}
          onStage={lists.onStage}
        />
      ) : (
        <EmptyList
          query={query}
          tab={tab}
          search={search}
          expectedCount={tab === 'checkin' ? expected.length : 0}
          others={tab === 'history' ? waiting : ended}
          isToday={day === today}
          onClear={() => onSearch('')}
          onFirstSteps={onFirstSteps}
          onOtherTab={() => steps.showTab(tab === 'history' ? 'checkin' : 'history')}
        />
      )}
    </div>
  );
}

/** The search box, and the buttons beside it. */
function ListTools({
  search,
  onSearch,
  searchBox,
  list,
  steps,
  onFirstSteps,
}: Pick<ListPaneProps, 'search' | 'onSearch' | 'searchBox' | 'list' | 'steps' | 'onFirstSteps'>) {
  const { t } = useLingui();
  return (
    <div className={css.tools}>
      <div className={css.search}>
        <SearchInput
          ref={searchBox}
          label={t`Search by name or phone`}
          placeholder={t`Search name`}
          keyHint="/"
          value={search}
          autoComplete="off"
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' && event.key !== 'Enter') return;
            if (event.key === 'Escape') onSearch('');
            list.current?.focus();
          }}
        />
      </div>
      <Button aria-keyshortcuts="N" className={css.text} onClick={steps.textSomebody}>
        {t`Text a patient`}
      </Button>
      <ViewMenu onFirstSteps={onFirstSteps} onHelp={steps.help} onPalette={steps.palette} />
    </div>
  );
}

/** The server refuses to send the list, so the one on screen is old. (A lost connection has its own bar above the page.) */
function StaleNote({ query }: { query: UseQueryResult<QueueEntry[]> }) {
  const { error, data, dataUpdatedAt } = query;
  if (!data || !(error instanceof CallError) || error.status < 500) return null;
  return (
    <p className={css.stale} role="alert">
      <WarningIcon />
      <span>
        <Trans>
          This list is from <Time at={new Date(dataUpdatedAt).toISOString()} />. Trying again…
        </Trans>
      </span>
    </p>
  );
}

/** Shown when this computer's time zone differs from the office's. */
function ZoneNote() {
  const name = useForeignZone();
  if (!name) return null;
  return (
    <p className={css.zone}>
      <Trans>Times shown in office time ({name})</Trans>
    </p>
  );
}
