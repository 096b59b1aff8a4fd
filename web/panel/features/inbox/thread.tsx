import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { longestMessage, type Conversation, type Message } from '#contract/conversations.ts';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { UndoIcon } from '#web/icons/undo.tsx';
import { OfficeMoment } from '#web/kit/when.tsx';
import { useSession } from '#web/kit/session.ts';
import { PatientPhone, TextDeliveryStatus } from '#web/panel/features/queue/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { TextArea } from '#web/panel/ui/field.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './inbox.module.css';
import { PersonName } from './person-name.tsx';
import { useColleagueWriting, useReply, useThread, type useChangeConversation } from './use-inbox.ts';

export const replyBoxId = 'reply-to-patient';

interface ThreadProps {
  id: string;
  onBack: () => void;
  changes: ReturnType<typeof useChangeConversation>;
}

/** One conversation: who it is with, its messages, and the box for an answer. */
export function ThreadPane({ id, onBack, changes }: ThreadProps) {
  const { t } = useLingui();
  const thread = useThread(id);
  const { data } = thread;
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
    <section className={css.thread} aria-label={t`Conversation`}>
      <ThreadHead conversation={data.conversation} onBack={onBack} changes={changes} />
      <Messages messages={data.messages} more={data.more} />
      <Reply conversation={data.conversation} />
    </section>
  );
}

function ThreadHead({ conversation, onBack, changes }: { conversation: Conversation } & Omit<ThreadProps, 'id'>) {
  const { t } = useLingui();
  const { person } = useSession();
  const { pk, phone, properties, assignee, state } = conversation;
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
          {assignee && (
            <>
              {showsPhone && ' · '}
              {isMine ? t`Assigned to you` : <Trans>Assigned to {assignee.name}</Trans>}
            </>
          )}
        </p>
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

function Messages({ messages, more }: { messages: readonly Message[]; more: boolean }) {
  const { t } = useLingui();
  const list = useRef<HTMLOListElement>(null);
  const newest = messages.at(-1)?.sequence ?? 0;
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [newest]);
  if (messages.length === 0) return <p className={css.none}>{t`No messages yet.`}</p>;
  return (
    <ol ref={list} className={css.messages} tabIndex={0} aria-label={t`Messages`}>
      {more && <li className={css.older}>{t`Only the newest messages are shown.`}</li>}
      {messages.map((message) => (
        <OneMessage key={message._id} message={message} />
      ))}
    </ol>
  );
}

function OneMessage({ message }: { message: Message }) {
  const { t } = useLingui();
  const { sender, kind, by, body, sent, state, problem, limitedUntil } = message;
  const isTheirs = sender === 'patient';
  const builtIn = {
    message: t`Automatic answer`,
    invite: t`Invitation text`,
    reinvite: t`Second invitation`,
    link: t`Check-in link`,
  };
  const who = isTheirs ? t`Patient` : sender === 'bot' ? builtIn[kind] : (by ?? t`Front desk`);
  return (
    <li className={classNames(css.message, isTheirs ? css.theirs : css.ours, sender === 'bot' && css.builtIn)}>
      <p className={css.body} dir="auto">
        {body.trim() === '' ? t`(a message without words)` : body}
      </p>
      <p className={css.about}>
        <span>{who} ·</span> <OfficeMoment at={sent} />
        {state && (
          <>
            {' '}
            <span>·</span> <TextDeliveryStatus state={state} problem={problem} limitedUntil={limitedUntil} />
          </>
        )}
      </p>
    </li>
  );
}

function Reply({ conversation }: { conversation: Conversation }) {
  const { t } = useLingui();
  const reply = useReply(conversation.pk);
  const isColleagueWriting = useColleagueWriting(conversation.pk);
  if (conversation.optedOut || conversation.isLandline)
    return (
      <div className={css.reply}>
        <Banner tone="amber" icon={LockIcon}>
          {conversation.optedOut
            ? t`This number opted out of texts (STOP), so it cannot be texted. Please call instead.`
            : t`This is a landline and cannot get texts. Please call instead.`}
        </Banner>
      </div>
    );
  const isEmpty = reply.text.trim() === '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    reply.send();
  };
  return (
    <div className={css.reply} id={replyBoxId}>
      <p className={css.writing} role="status">
        {isColleagueWriting && t`A colleague is writing…`}
      </p>
      <TextArea
        label={t`Your answer`}
        value={reply.text}
        error={reply.error}
        maxLength={longestMessage}
        aria-keyshortcuts="R"
        onChange={(event) => reply.change(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={css.send}>
        <span className={css.hint}>{t`Ctrl+Enter sends. Text messages are not secure: no diagnoses.`}</span>
        <Button
          variant={isEmpty ? 'default' : 'filled'}
          icon={SendIcon}
          locked={isEmpty}
          busy={reply.isSending}
          onClick={reply.send}
        >
          {t`Send`}
        </Button>
      </div>
    </div>
  );
}
