import { useLingui } from '@lingui/react/macro';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VisitorMessage } from '#contract/website-chat.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { Loading } from '#web/widget/ui/loading.tsx';
import { ChatPicture, OwnPicture } from './chat-picture.tsx';
import css from './message-log.module.css';
import type { Outgoing } from './outbox.ts';

interface MessageLogProps {
  officeName: string;
  messages: VisitorMessage[];
  unsent: Outgoing[];
  isLoaded: boolean;
  /** The page says so below; a visitor who is blocked gets no messages. */
  isBlocked: boolean;
  isOfficeWriting: boolean;
  onSendAgain: (clientId: string) => void;
  onDiscard: (clientId: string) => void;
}

/** Both sides' messages, the newest at the end, where the view stays unless the visitor has scrolled up. */
export function MessageLog({ messages, unsent, ...props }: MessageLogProps) {
  const { t } = useLingui();
  const arrived = new Set(messages.map(({ clientId }) => clientId));
  // Sent, but its answer was lost: a poll may bring it first.
  const waiting = unsent.filter(({ clientId }) => !arrived.has(clientId));
  const { view, list, onScroll, isBehind, toEnd } = useStayAtEnd(
    messages.length,
    waiting.length,
    props.isOfficeWriting,
  );
  const isEmpty = messages.length === 0 && waiting.length === 0 && !props.isBlocked;
  return (
    <div className={css.box}>
      <div ref={view} className={css.view} tabIndex={0} role="log" aria-label={t`Messages`} onScroll={onScroll}>
        {isEmpty && !props.isLoaded && <Loading />}
        {isEmpty && props.isLoaded && <p className={css.start}>{t`Write your question. The answer appears here.`}</p>}
        <ul ref={list} className={css.messages}>
          {messages.map((message) => (
            <Message key={message.id} message={message} officeName={props.officeName} />
          ))}
          {waiting.map((one) => (
            <UnsentMessage
              key={one.clientId}
              message={one}
              onSendAgain={() => props.onSendAgain(one.clientId)}
              onDiscard={() => props.onDiscard(one.clientId)}
            />
          ))}
          {props.isOfficeWriting && (
            <li className={`${css.message} ${css.office}`}>
              <p className={css.sender}>{props.officeName}</p>
              <p>{t`Writing...`}</p>
            </li>
          )}
        </ul>
      </div>
      {isBehind && (
        <button type="button" className={css.toEnd} onClick={toEnd}>
          {t`New messages below`}
        </button>
      )}
    </div>
  );
}

function Message({ message, officeName }: { message: VisitorMessage; officeName: string }) {
  const { t } = useLingui();
  const { from, body, picture, at } = message;
  return (
    <li className={`${css.message} ${css[from]}`}>
      {from !== 'note' && <p className={css.sender}>{from === 'office' ? officeName : t`You`}</p>}
      {picture && <ChatPicture picture={picture} text={body} />}
      {body.trim() !== '' && (
        <p dir="auto" className={css.text}>
          {body}
        </p>
      )}
      <p className={css.time}>
        <OfficeMoment at={at} />
      </p>
    </li>
  );
}

interface UnsentMessageProps {
  message: Outgoing;
  onSendAgain: () => void;
  onDiscard: () => void;
}

function UnsentMessage({ message, onSendAgain, onDiscard }: UnsentMessageProps) {
  const { t } = useLingui();
  const { body, picture, isPictureLost, state, progress, error } = message;
  const percent = Math.round(progress * 100);
  const isUploading = picture !== null && state === 'sending';
  return (
    <li className={`${css.message} ${css.visitor}`}>
      <p className={css.sender}>{t`You`}</p>
      {picture && <OwnPicture file={picture} />}
      {body !== '' && (
        <p dir="auto" className={css.text}>
          {body}
        </p>
      )}
      {state !== 'refused' && <p className={css.time}>{isUploading ? t`Sending: ${percent}%` : t`Sending…`}</p>}
      {state === 'refused' && (
        <>
          <p className={css.problem}>
            {isPictureLost
              ? t`Not sent: the picture is gone. Please attach it again.`
              : errorMessage(error, t`Not sent: there is no connection.`)}
          </p>
          <p className={css.actions}>
            {!isPictureLost && (
              <button type="button" onClick={onSendAgain}>
                {t`Try again`}
              </button>
            )}
            <button type="button" onClick={onDiscard}>
              {t`Delete`}
            </button>
          </p>
        </>
      )}
    </li>
  );
}

/** This close to the end, the visitor is reading the newest messages. */
const nearPx = 80;

/** Scrolls to the end when something is added, unless the visitor reads further up: then `isBehind`. Their own messages are always scrolled to. */
function useStayAtEnd(messages: number, waiting: number, isWriting: boolean) {
  const view = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const before = useRef({ messages: 0, waiting: 0 });
  const [isBehind, setBehind] = useState(false);
  const toEnd = () => {
    if (view.current) view.current.scrollTop = view.current.scrollHeight;
    setBehind(false);
  };
  useLayoutEffect(() => {
    const grew = messages > before.current.messages;
    const hasSent = waiting > before.current.waiting;
    before.current = { messages, waiting };
    if (isAtEnd.current || hasSent) toEnd();
    else if (grew) setBehind(true);
  }, [messages, waiting, isWriting]);
  // A message that grows (a refusal and its buttons) or a form that opens below hides no end of it.
  useEffect(() => {
    const { current } = view;
    const watcher = new ResizeObserver(() => {
      if (current && isAtEnd.current) current.scrollTop = current.scrollHeight;
    });
    if (current) watcher.observe(current);
    if (list.current) watcher.observe(list.current);
    return () => watcher.disconnect();
  }, []);
  const onScroll = () => {
    if (!view.current) return;
    const { scrollHeight, scrollTop, clientHeight } = view.current;
    const isNear = scrollHeight - scrollTop - clientHeight < nearPx;
    // Not every view that is away from the end was scrolled up: a message may have grown since the log went there.
    if (isNear || scrollTop < lastTop.current) isAtEnd.current = isNear;
    lastTop.current = scrollTop;
    if (isNear) setBehind(false);
  };
  return { view, list, onScroll, isBehind, toEnd };
}
