import { useLingui } from '@lingui/react/macro';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Conversation, Message } from '#contract/conversations/shapes.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { MissingPictureNote, Picture, TextDeliveryStatus } from '#web/panel/features/queue/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import css from './inbox.module.css';
import { MessageActions } from './message-actions.tsx';
import { useMessages } from './use-thread.ts';

/** So close to an edge of the list, older messages load, or a new one scrolls into view. */
const nearPx = 80;

interface MessagesProps {
  conversation: Conversation;
  newestPage: readonly Message[];
}

/** The messages of a thread, oldest first. Older ones load on scrolling up or by the button, and what is on screen stays where it is. */
export function Messages({ conversation, newestPage }: MessagesProps) {
  const { t } = useLingui();
  const id = conversation.pk;
  const { messages, hasOlder, isLoading, error, loadOlder } = useMessages(id, newestPage);
  const list = useScrolling(messages);
  const newestAnswer = messages.findLast(isAnswer)?._id;
  if (messages.length === 0) return <p className={css.none}>{t`No messages yet.`}</p>;
  return (
    <ol
      ref={list}
      className={css.messages}
      tabIndex={0}
      aria-label={t`Messages`}
      onScroll={(event) => event.currentTarget.scrollTop < nearPx && !error && loadOlder()}
    >
      {hasOlder && (
        <li className={css.older}>
          <Button size="s" busy={isLoading} onClick={loadOlder}>
            {t`Show older messages`}
          </Button>
        </li>
      )}
      {error && (
        <li>
          <Banner tone="red">{errorMessage(error, t`The server could not be reached.`)}</Banner>
        </li>
      )}
      {messages.map((message) => (
        <OneMessage
          key={message._id}
          conversation={conversation}
          message={message}
          mayRetry={conversation.textBlock === null && message._id === newestAnswer}
        />
      ))}
    </ol>
  );
}

/** A text of Send SMS is the practice's too, but answers nobody. */
const isAnswer = ({ sender, withSendSms }: Message) => sender === 'doctor' && !withSendSms;

/** Shows the newest message, unless somebody reads older ones; keeps the place when older ones are added above. */
function useScrolling(messages: readonly Message[]) {
  const list = useRef<HTMLOListElement>(null);
  const first = messages[0]?.sequence ?? 0;
  const newest = messages.at(-1);
  const isAnswered = newest !== undefined && isAnswer(newest);
  const before = useRef({ first, height: 0, top: 0, wasAtEnd: true });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const { first: firstBefore, height, top, wasAtEnd } = before.current;
    if (first < firstBefore) element.scrollTop = top + element.scrollHeight - height;
    else if (wasAtEnd || isAnswered) element.scrollTop = element.scrollHeight;
  }, [first, newest?.sequence, isAnswered]);
  // Pictures change the height as they load, so the place is noted as it is, after each change and scroll.
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const note = () => {
      const { scrollTop: top, scrollHeight: height, clientHeight } = element;
      before.current = { first, height, top, wasAtEnd: height - top - clientHeight < nearPx };
    };
    note();
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  });
  return list;
}

interface OneMessageProps {
  conversation: Conversation;
  message: Message;
  mayRetry: boolean;
}

function OneMessage({ conversation, message, mayRetry }: OneMessageProps) {
  const { t } = useLingui();
  const conversationId = conversation.pk;
  const {
    sender,
    kind,
    type,
    by: writer,
    withSendSms,
    body,
    sent,
    state,
    problem,
    limitedUntil,
    sendAt,
    objectKey,
    picture,
    missingPicture,
  } = message;
  const isTheirs = sender === 'patient';
  const builtIn = {
    message: t`Automatic answer`,
    invite: t`Invitation text`,
    reinvite: t`Second invitation`,
    link: t`Check-in link`,
    payment: t`Payment request`,
    survey: t`Survey text`,
  };
  const by = writer ?? t`Front desk`;
  const ofPractice = withSendSms ? t`${by}, with Send SMS` : by;
  // Most of what a patient with a number writes comes by text.
  const patientName =
    conversation.channel === 'text' && message.channel === 'web' ? t`Patient, on the visit page` : t`Patient`;
  const theirName = conversation.channel === 'web' ? t`Visitor` : patientName;
  const who = isTheirs ? theirName : sender === 'bot' ? builtIn[kind] : ofPractice;
  return (
    <li className={classNames(css.message, isTheirs ? css.theirs : css.ours, sender === 'bot' && css.builtIn)}>
      {objectKey !== null && picture && (
        <Picture conversationId={conversationId} id={objectKey} size={picture} text={body} who={who} />
      )}
      {missingPicture && <MissingPictureNote why={missingPicture} />}
      {(body.trim() !== '' || type !== 'image') && (
        <p className={css.body} dir="auto">
          {body.trim() === '' ? t`(a message without text)` : body}
        </p>
      )}
      <p className={css.about}>
        <span>{who} ·</span> <OfficeMoment at={sent} />
        {state && (
          <>
            {' '}
            <span>·</span> <TextDeliveryStatus {...{ state, problem, limitedUntil, sendAt }} />
          </>
        )}
      </p>
      <MessageActions conversationId={conversationId} message={message} mayRetry={mayRetry} />
    </li>
  );
}
