import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { TextState, VisitMessage } from '#contract/queue.ts';
import { useNow } from '#web/kit/clock.ts';
import { Time } from '#web/kit/format.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { HelpIcon } from '#web/icons/help.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './conversation.module.css';
import { collapseRepeatedFailures, type ShownMessage } from './repeated-failures.ts';
import { textErrorReason, withWait } from './text-error-messages.ts';

interface ConversationProps {
  messages: VisitMessage[] | undefined;
  underWay: { key: string; at: string; body: string }[];
  failed: boolean;
}

/** The messages of a visit, oldest first, each with its delivery status. */
export function Conversation({ messages, underWay, failed }: ConversationProps) {
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

function Message({ message, tries }: ShownMessage) {
  const { t } = useLingui();
  const { from, kind, by, at, body, state, problem, limitedUntil } = message;
  const builtIn = { message: null, invite: t`Invitation text`, reinvite: t`Second invitation`, link: t`Check-in link` }[
    kind
  ];
  const who = from === 'patient' ? t`Patient` : (builtIn ?? by ?? t`Front desk`);
  return (
    <li className={classNames(css.message, from === 'office' ? css.ours : css.theirs, builtIn && css.builtIn)}>
      <p className={css.body} dir="auto">
        {withoutLinks(body, t`(link)`)}
      </p>
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
            <span>·</span> <TextDeliveryStatus state={state} problem={problem} limitedUntil={limitedUntil} />
          </>
        )}
      </p>
    </li>
  );
}

/** Hides visit links: they are secrets of the patient. */
const withoutLinks = (body: string, instead: string) => body.replace(/https?:\/\/\S+/g, instead);

/** The delivery status of a text. */
export function TextDeliveryStatus({
  state,
  problem,
  limitedUntil = null,
}: Pick<VisitMessage, 'problem'> & { state: TextState; limitedUntil?: string | null }) {
  const { t } = useLingui();
  const outcomes: Record<TextState, { icon: Icon; label: string; bad?: boolean }> = {
    queued: { icon: ClockIcon, label: t`Queued` },
    sending: { icon: ClockIcon, label: t`Sending…` },
    sent: { icon: CheckIcon, label: t`Sent` },
    delivered: { icon: CheckCircleIcon, label: t`Delivered` },
    failed: { icon: WarningIcon, label: t`Not delivered`, bad: true },
    unknown: { icon: HelpIcon, label: t`Delivery unknown`, bad: true },
    held: { icon: ClockIcon, label: t`Held back`, bad: true },
    cancelled: { icon: CloseCircleIcon, label: t`Cancelled` },
  };
  const now = useNow();
  const { icon, label, bad } = outcomes[state];
  const why = (state === 'failed' || state === 'held') && problem ? textErrorReason(problem) : null;
  const explained =
    why === null ? label : limitedUntil ? withWait(`${label}: ${why}.`, limitedUntil, now) : `${label}: ${why}`;
  return (
    <DeliveryStatus icon={icon} bad={bad}>
      {explained}
    </DeliveryStatus>
  );
}

export function DeliveryStatus({
  icon: FateIcon,
  bad,
  children,
}: {
  icon: Icon;
  bad?: boolean | undefined;
  children: string;
}) {
  return (
    <span className={classNames(css.fate, bad && css.bad)}>
      <FateIcon size={12} />
      {children}
    </span>
  );
}
