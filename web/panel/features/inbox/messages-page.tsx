import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { inboxFilters, isListed, type InboxFilter, type Thread } from '#contract/conversations/inbox.ts';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { PeopleIcon } from '#web/icons/people.tsx';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useKeys } from '#web/kit/keyboard-shortcuts.ts';
import { useTitle } from '#web/kit/title.ts';
import { useSettled } from '#web/kit/use-settled.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button, buttonClass } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { SearchInput } from '#web/panel/ui/field.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Tabs } from '#web/panel/ui/tabs.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import panes from '#web/panel/ui/list-and-detail.module.css';
import { ConversationList } from './conversation-list.tsx';
import css from './inbox.module.css';
import { replyBoxId } from './composer.tsx';
import { ThreadPane } from './thread.tsx';
import { useChangeConversation, useInbox } from './use-inbox.ts';
import { useInboxCounts } from './use-inbox-counts.ts';
import { threadKey } from './use-thread.ts';

const route = getRouteApi('/office/dashboard/messages');

/** `/dashboard/messages`: all conversations of the practice, and the chosen one beside the list. */
export function MessagesPage() {
  const { t } = useLingui();
  useTitle(t`Messages`);
  const { filter = 'unanswered', conversation: chosenId } = route.useSearch();
  const navigate = route.useNavigate();
  const [search, setSearch] = useState('');
  const words = useSettled(search.trim());
  const isSearching = search.trim() !== '';
  // A search looks everywhere; without it the filter is back.
  const list = useInbox(words === '' ? filter : 'all', words);
  const changes = useChangeConversation();
  const cache = useQueryClient();
  const searchBox = useRef<HTMLInputElement>(null);
  const conversations = list.data?.pages.flatMap((page) => page.conversations) ?? [];

  const choose = (id: string | undefined) =>
    void navigate({ search: { filter, ...(id && { conversation: id }) }, replace: chosenId !== undefined });
  /** The open conversation stays open if the filter lists it: an answer is for somebody who is on the list. Its draft is kept. */
  const showFilter = (next: InboxFilter) => {
    const open = chosenId && cache.getQueryData<Thread>(threadKey(chosenId));
    const leaves = !isSearching && open && !isListed(open.conversation, next);
    void navigate({
      search: { filter: next, ...(chosenId && !leaves && { conversation: chosenId }) },
      replace: true,
    });
  };
  const step = (by: 1 | -1) => {
    const at = conversations.findIndex(({ pk }) => pk === chosenId);
    const next = conversations[at === -1 ? 0 : at + by];
    if (!next) return;
    choose(next.pk);
    document.querySelector(`[data-conversation="${next.pk}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    r: () => document.querySelector<HTMLElement>(`#${replyBoxId} textarea`)?.focus(),
    e: () => chosenId && !changes.isPending && changes.change(chosenId, 'close'),
    '/': () => searchBox.current?.focus(),
    escape: () => choose(undefined),
  });

  return (
    <div className={classNames(panes.page, css.page)} data-chosen={chosenId}>
      <h1 className={panes.title}>{t`Messages`}</h1>
      <section className={classNames(panes.pane, css.pane)} aria-label={t`Inbox`}>
        <Filters value={filter} onChange={showFilter} />
        <div className={css.tools}>
          <Link to="/dashboard/patient-list" className={buttonClass({ size: 's', variant: 'subtle' })}>
            <PeopleIcon />
            <span>{t`Patient list`}</span>
          </Link>
          <SearchInput
            ref={searchBox}
            label={t`Search by name or phone`}
            placeholder={t`Search name or phone`}
            keyHint="/"
            value={search}
            autoComplete="off"
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setSearch('')}
          />
          <p className={css.scope} role="status">
            {isSearching && t`Searching all conversations.`}
          </p>
        </div>
        <div id="inbox-list" role="tabpanel" aria-label={t`Conversations`} className={css.panel} tabIndex={-1}>
          <ListContent
            list={list}
            isSearching={isSearching}
            filter={filter}
            chosenId={chosenId}
            onSelect={choose}
            onClear={() => setSearch('')}
          />
        </div>
      </section>
      <div className={panes.detail}>
        {chosenId ? (
          <ThreadPane key={chosenId} id={chosenId} changes={changes} onBack={() => choose(undefined)} />
        ) : (
          <EmptyState icon={MessageIcon} title={t`Select a conversation`} />
        )}
      </div>
    </div>
  );
}

function Filters({ value, onChange }: { value: InboxFilter; onChange: (filter: InboxFilter) => void }) {
  const { t } = useLingui();
  const counts = useInboxCounts();
  const labels: Record<InboxFilter, string> = {
    unanswered: t`Unanswered`,
    unread: t`Unread`,
    all: t`All`,
    failed: t`Failed`,
  };
  return (
    <Tabs
      label={t`Filter`}
      panelId="inbox-list"
      value={value}
      onChange={onChange}
      tabs={inboxFilters.map((id) => ({
        id,
        label: labels[id],
        ...(id !== 'all' && counts && { count: counts[id] }),
      }))}
    />
  );
}

interface ListContentProps {
  list: ReturnType<typeof useInbox>;
  isSearching: boolean;
  filter: InboxFilter;
  chosenId: string | undefined;
  onSelect: (id: string) => void;
  onClear: () => void;
}

function ListContent({ list, isSearching, filter, chosenId, onSelect, onClear }: ListContentProps) {
  const { t } = useLingui();
  if (list.isPending)
    return (
      <div className={css.loading}>
        {Array.from({ length: 6 }, (_, i) => (
          <Skeleton key={i} height={62} />
        ))}
      </div>
    );
  if (list.data === undefined) return <LoadError title={t`The conversations could not be loaded`} query={list} />;
  const conversations = list.data.pages.flatMap((page) => page.conversations);
  const whenEmpty: Record<InboxFilter, string> = {
    unanswered: t`Everything is answered`,
    unread: t`Everything is read`,
    all: t`No conversations found`,
    failed: t`No failed texts in open conversations`,
  };
  return (
    <>
      {list.isRefetchError && (
        <Banner tone="red">{errorMessage(list.error, t`The server could not be reached.`)}</Banner>
      )}
      {conversations.length === 0 ? (
        <EmptyState
          icon={InboxIcon}
          title={isSearching ? t`No conversations found` : whenEmpty[filter]}
          action={isSearching ? <Button onClick={onClear}>{t`Clear search`}</Button> : undefined}
        />
      ) : (
        <ConversationList
          conversations={conversations}
          selectedId={chosenId}
          marksUnanswered={isSearching || filter !== 'unanswered'}
          onSelect={onSelect}
        />
      )}
      {list.hasNextPage && (
        <div className={css.more}>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t`Show more`}
          </Button>
        </div>
      )}
    </>
  );
}
