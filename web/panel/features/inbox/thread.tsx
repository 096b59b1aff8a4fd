import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Message } from '#contract/conversations/shapes.ts';
import { useMarkRead, type NewestMessage } from '#web/panel/features/queue/index.ts';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Composer } from './composer.tsx';
import css from './inbox.module.css';
import { ThreadHead } from './thread-head.tsx';
import { Messages } from './thread-messages.tsx';
import type { useChangeConversation } from './use-inbox.ts';
import { useThread } from './use-thread.ts';

interface ThreadProps {
  id: string;
  onBack: () => void;
  changes: ReturnType<typeof useChangeConversation>;
}

/** One conversation: who it is with, its messages, and the box for an answer. */
export function ThreadPane({ id, onBack, changes }: ThreadProps) {
  const { t } = useLingui();
  const thread = useThread(id);
  const pane = useRef<HTMLElement>(null);
  const { data } = thread;
  useMarkRead(pane, {
    conversationId: id,
    newest: data && (data.messages.at(-1)?.sequence ?? 0),
    unread: data?.conversation.doctorUnread ?? 0,
  });
  if (!data)
    return (
      <section className={css.thread} aria-label={t`Conversation`}>
        {thread.isError ? (
          <LoadError title={t`The conversation could not be loaded`} query={thread} />
        ) : (
          <div className={css.loading}>
            <Skeleton height={40} />
            <Skeleton height={200} />
          </div>
        )}
      </section>
    );
  return (
    <section ref={pane} className={css.thread} aria-label={t`Conversation`}>
      <ThreadHead thread={data} onBack={onBack} changes={changes} />
      <Messages conversation={data.conversation} newestPage={data.messages} />
      <Composer
        conversation={data.conversation}
        newest={newestOf(data.messages)}
        quiet={data.quiet}
        visitor={data.visitor}
        onUnblock={() => changes.change(id, 'unblock')}
      />
    </section>
  );
}

function newestOf(messages: Message[]): NewestMessage | undefined {
  const newest = messages.at(-1);
  return newest && { id: newest._id, by: newest.sender === 'patient' ? 'patient' : 'colleague' };
}
