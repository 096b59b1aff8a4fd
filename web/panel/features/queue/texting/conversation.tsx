import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { VisitMessage } from '#contract/queue.ts';
import { Time } from '#web/kit/format.tsx';
import { useSession } from '#web/kit/session.ts';
import { buttonClass } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { ClockIcon } from '#web/icons/clock.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './conversation.module.css';
import { MissingPictureNote, Picture } from './picture.tsx';
import { collapseRepeatedFailures, type ShownMessage } from './repeated-failures.ts';
import { DeliveryStatus, TextDeliveryStatus } from './text-delivery.tsx';

interface ConversationProps {
  messages: VisitMessage[] | undefined;
  /** Where its older messages are; null if these are all. */
  older: { conversationId: string | undefined } | null;
  underWay: { key: string; at: string; body: string }[];
  failed: boolean;
}

/** The messages of a visit, oldest first, each with its delivery status. */
export function Conversation({ messages, older, underWay, failed }: ConversationProps) {
  const { t } = useLingui();
  const list = useRef<HTMLOListElement>(null);
  const count = (messages?.length ?? 0) + underWay.length;
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [count]);
  if (!messages)
    return failed ? <p className={css.none}>{t`The messages could not be loaded.`}</p> : <Skeleton width={200} />;
  if (count === 0) return <p className={css.none}>{t`No messages yet.`}</p>;
  return (
    <ol ref={list} className={css.conversation} tabIndex={0} aria-label={t`Conversation`}>
      {older && <OlderMessages {...older} />}
      {collapseRepeatedFailures(messages).map(({ message, tries }) => (
        <Message key={message.id} message={message} tries={tries} />
      ))}
      {underWay.map(({ key, at, body }) => (
        <li key={key} className={classNames(css.message, css.ours)}>
          <p className={css.body} dir="auto">
            {body}
          </p>
          <p className={css.about}>
            <Time at={at} /> <span>·</span> <DeliveryStatus icon={ClockIcon}>{t`Sending…`}</DeliveryStatus>
          </p>
        </li>
      ))}
    </ol>
  );
}

/** The inbox has all messages of a number; this list has the newest ones of a visit. */
function OlderMessages({ conversationId }: { conversationId: string | undefined }) {
  const { t } = useLingui();
  const { flags } = useSession();
  return (
    <li className={css.older}>
      <p>{t`Only the newest messages are shown here.`}</p>
      {flags.sendSMSEnabled !== false && conversationId !== undefined && (
        <Link
          to="/dashboard/messages"
          search={{ filter: 'all', conversation: conversationId }}
          className={buttonClass({ size: 's' })}
        >
          {t`Show older messages`}
        </Link>
      )}
    </li>
  );
}

function Message({ message, tries }: ShownMessage) {
  const { t } = useLingui();
  const { from, kind, by, at, body, state, problem, limitedUntil, sendAt, picture, missingPicture } = message;
  const builtIn = {
    message: null,
    invite: t`Invitation text`,
    reinvite: t`Second invitation`,
    link: t`Check-in link`,
    payment: t`Payment request`,
  }[kind];
  const who = from === 'patient' ? t`Patient` : (builtIn ?? by ?? t`Front desk`);
  return (
    <li className={classNames(css.message, from === 'office' ? css.ours : css.theirs, builtIn && css.builtIn)}>
      {picture && (
        <Picture conversationId={picture.conversationId} id={picture.id} size={picture} text={body} who={who} />
      )}
      {missingPicture && <MissingPictureNote why={missingPicture} />}
      {(body.trim() !== '' || (!picture && !missingPicture)) && (
        <p className={css.body} dir="auto">
          {withoutLinks(body, t`(link)`)}
        </p>
      )}
      <p className={css.about}>
        <span>{who} ·</span>{' '}
        {tries > 1 ? (
          <span>
            <Trans>
              {tries} tries, last at <Time at={at} />
            </Trans>
          </span>
        ) : (
          <Time at={at} />
        )}
        {state && (
          <>
            {' '}
            <span>·</span> <TextDeliveryStatus {...{ state, problem, limitedUntil, sendAt }} />
          </>
        )}
      </p>
    </li>
  );
}

/** Hides visit links: they are secrets of the patient. */
const withoutLinks = (body: string, instead: string) => body.replace(/https?:\/\/\S+/g, instead);
