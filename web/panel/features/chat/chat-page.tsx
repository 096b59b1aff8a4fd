import { Trans, useLingui } from '@lingui/react/macro';
import { getRouteApi, Link } from '@tanstack/react-router';
import { MessageIcon } from '#web/icons/message.tsx';
import { useNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { useKeys } from '#web/kit/keyboard-shortcuts.ts';
import { useSession } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { replyBoxId, ThreadPane, useChangeConversation } from '#web/panel/features/inbox/index.ts';
import { dayOf } from '#web/kit/office-clock.ts';
import { HistoryDay } from '#web/panel/features/queue/index.ts';
import { classNames } from '#web/panel/ui/class-names.ts';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import panes from '#web/panel/ui/list-and-detail.module.css';
import { ChatList } from './chat-list.tsx';
import { ChatPromo } from './chat-promo.tsx';
import css from './chat.module.css';
import { useChatsOfDay, useHeldChats, type ShownChats } from './use-chats-of-day.ts';

const route = getRouteApi('/office/dashboard/chat');

/** `/dashboard/chat`: the Website Chatbox, or what a practice without it sees; in ambulatory mode the chat with patients after surgery. */
export function ChatPage() {
  const { t } = useLingui();
  const { office, gate } = useSession();
  if (gate.because === 'ambulatory') return <Chatbox title={t`Chat`} chats="all" />;
  const isOff = office !== null && !office.chatEnabled && !office.appointmentsEnabled;
  return isOff ? <ChatPromo /> : <Chatbox title={t`Website Chatbox`} chats="only" />;
}

function Chatbox({ title, chats: shownChats }: { title: string; chats: ShownChats }) {
  const { t } = useLingui();
  useTitle(title);
  const { day, conversation: chosenId } = route.useSearch();
  const navigate = route.useNavigate();
  const today = dayOf(useNow(), useOfficeZone());
  const shownDay = day !== undefined && day < today ? day : today;
  const chats = useChatsOfDay(shownDay, { shown: shownChats, isToday: shownDay === today });
  const held = useHeldChats();
  const changes = useChangeConversation();
  const choose = (id: string | undefined) =>
    void navigate({
      search: { ...(day && { day }), ...(id && { conversation: id }) },
      replace: chosenId !== undefined,
    });
  /** The open conversation stays open. */
  const showDay = (next: string) =>
    void navigate({
      search: { ...(next !== today && { day: next }), ...(chosenId && { conversation: chosenId }) },
      replace: true,
    });
  const rows = [...(chats.data ?? [])].sort((a, b) => Number(b.doctorUnread > 0) - Number(a.doctorUnread > 0));
  const step = (by: 1 | -1) => {
    const at = rows.findIndex(({ pk }) => pk === chosenId);
    const next = rows[at === -1 ? 0 : at + by];
    if (!next) return;
    choose(next.pk);
    document.querySelector(`[data-conversation="${next.pk}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    r: () => document.querySelector<HTMLElement>(`#${replyBoxId} textarea`)?.focus(),
    e: () => chosenId && !changes.isPending && changes.change(chosenId, 'close'),
    escape: () => choose(undefined),
  });
  return (
    <div className={classNames(panes.page, css.page)} data-chosen={chosenId}>
      <h1 className={panes.title}>{title}</h1>
      <section className={classNames(panes.pane, css.pane)} aria-label={title}>
        <HistoryDay day={shownDay} today={today} onDay={showDay} />
        <div className={css.list} tabIndex={-1}>
          <ChatList
            chats={chats}
            held={held}
            chosenId={chosenId}
            emptyHint={shownChats === 'only' && shownDay === today ? <ComesFromWebsite /> : undefined}
            onSelect={choose}
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

function ComesFromWebsite() {
  return (
    <Trans>
      Questions from your website’s visitors appear here.{' '}
      <Link to="/dashboard/settings/widget">Website chat settings</Link>
    </Trans>
  );
}
