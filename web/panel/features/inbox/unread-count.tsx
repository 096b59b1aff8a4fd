import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSession } from '#web/kit/session.ts';
import { ringMessage, useSoundAfterFirstClick } from '#web/kit/sound.ts';
import { useTitleNews } from '#web/kit/title.ts';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { useInboxCounts } from './use-inbox-counts.ts';

const unansweredOf = { unread: 'unanswered', unreadChats: 'unansweredChats' } as const;

/**
 * The number of unread conversations: of all of them, in the Messages tab, or of the chats, in the Website Chatbox tab. When all are read, it
 * is the number of those that nobody has answered.
 */
export function UnreadCount({ of = 'unread' }: { of?: 'unread' | 'unreadChats' }) {
  const { t } = useLingui();
  const counts = useInboxCounts();
  const unread = counts?.[of] ?? 0;
  const unanswered = counts?.[unansweredOf[of]] ?? 0;
  if (unread === 0 && unanswered > 0)
    return (
      <Counter>
        {unanswered}
        <VisuallyHidden> {t`unanswered`}</VisuallyHidden>
      </Counter>
    );
  if (unread === 0) return null;
  return (
    <Counter strong>
      {unread}
      <VisuallyHidden> {t`unread`}</VisuallyHidden>
    </Counter>
  );
}

/**
 * Rings and tells screen readers that a patient wrote, on every page of the panel, and counts in the window's title what nobody has read.
 * What was unread at the start does not ring.
 */
export function NewMessages() {
  const { t } = useLingui();
  const wantsSound = useSession().person?.preferences.sound === true;
  const unread = useInboxCounts()?.unreadMessages;
  const known = useRef<number>(undefined);
  const [isNew, setNew] = useState(false);
  useSoundAfterFirstClick(wantsSound);
  useTitleNews(unread ? t`${plural(unread, { one: '# new message', other: '# new messages' })}` : '');
  const compare = useEffectEvent((now: number) => {
    const before = known.current;
    known.current = now;
    setNew(before !== undefined && now > before);
    if (wantsSound && before !== undefined && now > before) ringMessage();
  });
  useEffect(() => {
    if (unread !== undefined) compare(unread);
  }, [unread]);
  return <VisuallyHidden role="status">{isNew && t`New message from a patient`}</VisuallyHidden>;
}
