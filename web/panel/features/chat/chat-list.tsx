import { useLingui } from '@lingui/react/macro';
import { useId, type ReactNode } from 'react';
import type { Conversation } from '#contract/conversations/shapes.ts';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { errorMessage } from '#web/kit/error-messages.ts';
import { ConversationList } from '#web/panel/features/inbox/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './chat.module.css';
import type { useChatsOfDay } from './use-chats-of-day.ts';

interface ChatListProps {
  chats: ReturnType<typeof useChatsOfDay>;
  /** Those that look like advertising, of any day. */
  held: readonly Conversation[];
  chosenId: string | undefined;
  /** Below 'No conversations found': where conversations come from. */
  emptyHint?: ReactNode;
  onSelect: (id: string) => void;
}

/** A day's conversations: the unread ones, then the others. */
export function ChatList({ chats, held, chosenId, emptyHint, onSelect }: ChatListProps) {
  const { t } = useLingui();
  if (chats.isPending)
    return (
      <div className={css.loading}>
        {Array.from({ length: 4 }, (_, i) => (
          <Skeleton key={i} height={62} />
        ))}
      </div>
    );
  if (chats.data === undefined) return <LoadError title={t`The conversations could not be loaded`} query={chats} />;
  const rest = { chosenId, onSelect };
  return (
    <>
      {chats.isRefetchError && (
        <Banner tone="red">{errorMessage(chats.error, t`The server could not be reached.`)}</Banner>
      )}
      {chats.data.length === 0 ? (
        <EmptyState icon={InboxIcon} title={t`No conversations found`}>
          {emptyHint}
        </EmptyState>
      ) : (
        <>
          <Group title={t`Unread Messages`} conversations={chats.data.filter(isUnread)} {...rest} />
          <Group
            title={t`Other Conversations`}
            conversations={chats.data.filter((conversation) => !isUnread(conversation))}
            {...rest}
          />
        </>
      )}
      <HeldBack conversations={held} {...rest} />
    </>
  );
}

const isUnread = ({ doctorUnread }: Conversation) => doctorUnread > 0;

interface GroupProps extends Omit<ChatListProps, 'chats' | 'held' | 'emptyHint'> {
  title: string;
  conversations: readonly Conversation[];
}

function Group({ title, conversations, chosenId, onSelect }: GroupProps) {
  const id = useId();
  if (conversations.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={css.group}>
        {title}
      </h2>
      <ConversationList
        label={title}
        conversations={conversations}
        selectedId={chosenId}
        marksUnanswered
        onSelect={onSelect}
      />
    </section>
  );
}

/** Folded, so that it disturbs nobody; open while one of its conversations is shown. */
function HeldBack({ conversations, chosenId, onSelect }: Omit<GroupProps, 'title'>) {
  const { t } = useLingui();
  const count = conversations.length;
  if (count === 0) return null;
  return (
    <details className={css.held} open={conversations.some(({ pk }) => pk === chosenId)}>
      <summary>{t`Held back: ${count}`}</summary>
      <p>
        {t`These look like advertising, so they make no sound and do not count as unread. If one is a real question, open it and press “Not advertising”.`}
      </p>
      <ConversationList label={t`Held back`} conversations={conversations} selectedId={chosenId} onSelect={onSelect} />
    </details>
  );
}
