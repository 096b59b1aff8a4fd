import { useLingui } from '@lingui/react/macro';
import { isListed } from '#contract/conversations/inbox.ts';
import type { Conversation } from '#contract/conversations/shapes.ts';
import { ClockIcon } from '#web/icons/clock.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import { PhoneOffIcon } from '#web/icons/phone-off.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { useSession } from '#web/kit/session.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { TextStateBadge } from '#web/panel/features/queue/index.ts';
import { Counter, StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { ChannelName, channelIcons } from './channel-name.tsx';
import css from './inbox.module.css';
import { isVisitor, PersonName, VisitorTag } from './person-name.tsx';

interface ConversationListProps {
  /** Which conversations these are; all of them without it. */
  label?: string;
  conversations: readonly Conversation[];
  selectedId: string | undefined;
  /** Rows whose person waits for an answer say so. Not where all of them do. */
  marksUnanswered?: boolean;
  onSelect: (id: string) => void;
}

/** The rows of the inbox. */
export function ConversationList({
  label,
  conversations,
  selectedId,
  marksUnanswered = false,
  onSelect,
}: ConversationListProps) {
  const { t } = useLingui();
  return (
    <ul className={css.list} aria-label={label ?? t`Conversations`}>
      {conversations.map((conversation) => (
        <li key={conversation.pk}>
          <Row
            conversation={conversation}
            isSelected={conversation.pk === selectedId}
            marksUnanswered={marksUnanswered}
            onSelect={onSelect}
          />
        </li>
      ))}
    </ul>
  );
}

function Row({
  conversation,
  isSelected,
  marksUnanswered,
  onSelect,
}: {
  conversation: Conversation;
  isSelected: boolean;
  marksUnanswered: boolean;
  onSelect: (id: string) => void;
}) {
  const { t } = useLingui();
  const { pk, lastBody, lastSender, lastSent, lastType, doctorUnread } = conversation;
  // Unread messages are counted instead.
  const isLeftUnanswered = marksUnanswered && doctorUnread === 0 && isListed(conversation, 'unanswered');
  // Every automatic text begins with the practice's name, which fills the line before the news.
  const ownName = `${useSession().office?.officeName ?? ''}: `;
  const shortBody = lastSender === 'bot' && lastBody.startsWith(ownName) ? lastBody.slice(ownName.length) : lastBody;
  return (
    <button
      type="button"
      className={css.row}
      aria-current={isSelected ? 'true' : undefined}
      data-conversation={pk}
      onClick={() => onSelect(pk)}
    >
      <span className={css.rowTop}>
        <span className={css.name} data-unread={doctorUnread > 0 || undefined}>
          <PersonName conversation={conversation} />
        </span>
        <VisitorTag conversation={conversation} />
        <span className={css.time}>
          <OfficeMoment at={lastSent} />
        </span>
      </span>
      <span className={css.rowTop}>
        <span className={css.preview} dir="auto">
          {lastSender === 'doctor' && <>{t`You:`} </>}
          {lastSender === 'bot' && <>{t`Automatic:`} </>}
          {lastType === 'image' && lastBody === '' ? t`Picture` : shortBody}
        </span>
        {doctorUnread > 0 && (
          <Counter strong>
            {doctorUnread}
            <VisuallyHidden> {t`unread`}</VisuallyHidden>
          </Counter>
        )}
      </span>
      <Badges conversation={conversation} isLeftUnanswered={isLeftUnanswered} />
    </button>
  );
}

function Badges({ conversation, isLeftUnanswered }: { conversation: Conversation; isLeftUnanswered: boolean }) {
  const { t } = useLingui();
  const { channel, assignee, failed, lastState, textBlock, state } = conversation;
  const showsChannel = channel !== 'text' && !isVisitor(conversation);
  if (!(isLeftUnanswered || assignee || failed || textBlock || state === 'closed' || showsChannel)) return null;
  return (
    <span className={css.badges}>
      {isLeftUnanswered && <StatusBadge tone="amber" icon={ClockIcon}>{t`Not answered`}</StatusBadge>}
      {showsChannel && (
        <StatusBadge tone="gray" icon={channelIcons[channel]}>
          <ChannelName channel={channel} />
        </StatusBadge>
      )}
      {failed && lastState && <TextStateBadge state={lastState} />}
      {textBlock === 'opted-out' && <StatusBadge tone="amber" icon={LockIcon}>{t`Opted out`}</StatusBadge>}
      {textBlock === 'landline' && <StatusBadge tone="amber" icon={PhoneOffIcon}>{t`Landline`}</StatusBadge>}
      {assignee && (
        <StatusBadge tone="gray" icon={PersonIcon}>
          {assignee.name}
        </StatusBadge>
      )}
      {state === 'closed' && (
        <StatusBadge tone="gray" icon={CheckIcon}>
          {t({ message: 'Closed', context: 'a conversation' })}
        </StatusBadge>
      )}
    </span>
  );
}
