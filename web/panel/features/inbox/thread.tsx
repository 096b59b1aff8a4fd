import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Message, Thread } from '#contract/conversations.ts';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { UndoIcon } from '#web/icons/undo.tsx';
import { useSession } from '#web/kit/session.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { PatientPhone, useMarkRead, type NewestMessage } from '#web/panel/features/queue/index.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Composer } from './composer.tsx';
import css from './inbox.module.css';
import { ChannelName } from './channel-name.tsx';
import { PersonName } from './person-name.tsx';
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
      />
    </section>
  );
}

function newestOf(messages: Message[]): NewestMessage | undefined {
  const newest = messages.at(-1);
  return newest && { id: newest._id, by: newest.sender === 'patient' ? 'patient' : 'colleague' };
}

function ThreadHead({ thread, onBack, changes }: { thread: Thread } & Omit<ThreadProps, 'id'>) {
  const { t } = useLingui();
  const { person } = useSession();
  const { conversation, visitor } = thread;
  const { pk, channel, phone, properties, assignee, state } = conversation;
  // Without a name the number is the heading.
  const showsPhone = phone !== null && properties.patientName !== '';
  const isMine = assignee?.id === person?.id;
  return (
    <header className={css.head}>
      <div className={css.back}>
        <IconButton label={t`Back to all conversations`} icon={ArrowLeftIcon} variant="subtle" onClick={onBack} />
      </div>
      <div className={css.who}>
        <h2>
          <PersonName conversation={conversation} />
        </h2>
        <p className={css.facts}>
          {showsPhone && <PatientPhone phone={phone} />}
          {channel !== 'text' && <ChannelName channel={channel} />}
          {visitor?.phone && (
            <>
              {' · '}
              <Trans>
                Verified number <PatientPhone phone={visitor.phone} />
              </Trans>
            </>
          )}
          {assignee && (
            <>
              {(showsPhone || channel !== 'text') && ' · '}
              {isMine ? t`Assigned to you` : <Trans>Assigned to {assignee.name}</Trans>}
            </>
          )}
        </p>
        {channel !== 'text' && (
          <p className={css.facts}>
            <LastSeen visitor={visitor} />
          </p>
        )}
      </div>
      <div className={css.actions}>
        <Button size="s" busy={changes.isPending} onClick={() => changes.change(pk, isMine ? 'unassign' : 'assign')}>
          {isMine ? t`Unassign` : t`Assign to me`}
        </Button>
        {state === 'open' ? (
          <Button size="s" icon={CheckIcon} keyHint="E" onClick={() => changes.change(pk, 'close')}>
            {t`Close conversation`}
          </Button>
        ) : (
          <Button size="s" icon={UndoIcon} onClick={() => changes.change(pk, 'reopen')}>
            {t`Reopen`}
          </Button>
        )}
      </div>
    </header>
  );
}

/** When the person was last there. Only chats are called secure: a text is not. */
function LastSeen({ visitor }: Pick<Thread, 'visitor'>) {
  if (visitor === null) return <Trans>Secure Encrypted Chat</Trans>;
  const { lastSeen } = visitor;
  if (lastSeen === null) return <Trans>Last Seen now - Secure Encrypted Chat</Trans>;
  return (
    <Trans>
      Last Seen <OfficeMoment at={lastSeen} /> - Secure Encrypted Chat
    </Trans>
  );
}
