import { Trans, useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { QueueSettings } from '#contract/practice/office.ts';
import type { QueueEntry } from '#contract/queue.ts';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import { CallError } from '#web/kit/call.ts';
import { Time, useForeignZone, useOfficeZone } from '#web/kit/format.tsx';
import { IconButton } from '#web/panel/ui/button.tsx';
import { SearchInput } from '#web/panel/ui/field.tsx';
import { PersonAddIcon } from '#web/icons/person-add.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Tabs } from '#web/panel/ui/tabs.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import panes from '#web/panel/ui/list-and-detail.module.css';
import { ExpectedPatients } from './expected-patients.tsx';
import { HistoryDay } from './history-day.tsx';
import { VisitsLeftOpenBefore, VisitsLeftOpenToday } from './left-open-visits.tsx';
import { ListSkeleton, EmptyList } from './empty-list.tsx';
import css from './queue-page.module.css';
import { SoundSwitch } from './sound-switch.tsx';
import { useQueueAddress } from './use-queue-address.ts';
import type { QueueActions } from './use-queue-actions.ts';
import { useDensity, ViewMenu } from './view-menu.tsx';
import { VisitList } from './visit-list.tsx';

interface ListPaneProps {
  query: UseQueryResult<QueueEntry[]>;
  waiting: readonly QueueEntry[];
  ended: readonly QueueEntry[];
  /** The visits of the selected tab that match the search. */
  shown: readonly QueueEntry[];
  search: string;
  onSearch: (text: string) => void;
  searchBox: RefObject<HTMLInputElement | null>;
  list: RefObject<HTMLDivElement | null>;
  steps: QueueActions;
  settings: QueueSettings;
  now: number;
  today: string;
  day: string;
  /** Those that match the search. */
  expected: readonly SmsCheckin[];
  onCorrect: (checkin: SmsCheckin) => void;
}

/** Tabs, search and the cards. */
export function ListPane(props: ListPaneProps) {
  const { t } = useLingui();
  const { expected, onCorrect } = props;
  const { query, waiting, ended, shown, search, onSearch, searchBox, list, steps, settings, now, today, day } = props;
  const { tab, visitId, go } = useQueueAddress();
  const density = useDensity();
  const zone = useOfficeZone();
  const counted = query.data !== undefined;
  return (
    <section className={classNames(panes.pane, css.pane)} aria-label={t`Queue`}>
      <Tabs
        label={t`Queue`}
        panelId="queue-list"
        value={tab}
        onChange={steps.showTab}
        tabs={[
          { id: 'checkin', label: t`Checkin`, count: counted ? waiting.length : undefined },
          { id: 'history', label: t`History`, count: counted ? ended.length : undefined },
        ]}
      />
      <ListTools search={search} onSearch={onSearch} searchBox={searchBox} list={list} steps={steps} />
      <SoundSwitch className={css.sound} />
      <ZoneNote />
      <StaleNote query={query} />
      {tab === 'history' && (
        <HistoryDay day={day} today={today} onDay={(to) => go({ day: to === today ? undefined : to })} />
      )}
      {tab === 'checkin' && counted && (
        <>
          <ExpectedPatients expected={expected} isSearching={search.trim() !== ''} onCorrect={onCorrect} />
          <VisitsLeftOpenBefore today={today} onDay={(to) => go({ tab: 'history', day: to })} />
          <VisitsLeftOpenToday visits={waiting} hours={settings.openingHours} now={now} zone={zone} today={today} />
        </>
      )}
      <div
        id="queue-list"
        role="tabpanel"
        aria-label={tab === 'history' ? t`History` : t`Checkin`}
        className={css.panel}
        tabIndex={-1}
      >
        {!query.data && !query.error && <ListSkeleton />}
        {shown.length > 0 ? (
          <VisitList
            key={`${tab} ${day}`}
            label={t`Patients`}
            visits={shown}
            selectedId={visitId}
            now={now}
            limits={settings.lateMinutes}
            density={density}
            listRef={list}
            onSelect={steps.choose}
            onEnter={steps.enter}
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
            onOtherTab={() => steps.showTab(tab === 'history' ? 'checkin' : 'history')}
          />
        )}
      </div>
    </section>
  );
}

/** The search box, and the buttons beside it. */
function ListTools({
  search,
  onSearch,
  searchBox,
  list,
  steps,
}: Pick<ListPaneProps, 'search' | 'onSearch' | 'searchBox' | 'list' | 'steps'>) {
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
      <IconButton
        label={t`Text a new patient`}
        icon={PersonAddIcon}
        aria-keyshortcuts="N"
        onClick={steps.textSomebody}
      />
      <ViewMenu onHelp={steps.help} onPalette={steps.palette} />
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
