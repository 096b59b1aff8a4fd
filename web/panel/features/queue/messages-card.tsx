import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { OpenedVisit, QueueEntry, VisitMessage } from '#contract/queue.ts';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Conversation } from './conversation.tsx';
import { MessageBox } from './message-box.tsx';
import { textErrorAdvice } from './text-error-messages.ts';
import css from './visit-panel.module.css';
import { useMarkRead } from './use-mark-read.ts';
import { useMessageDraft, useSendMessage, usePendingMessages } from './use-message.ts';

interface NotificationsProps {
  visit: QueueEntry;
  messages: VisitMessage[] | undefined;
  newestReply: OpenedVisit['newestReply'];
  failed: boolean;
}

/** The conversation with its delivery status, and a box for a new message. */
export function MessagesCard({ visit, messages, newestReply, failed }: NotificationsProps) {
  const { t } = useLingui();
  const underWay = usePendingMessages(visit.id);
  const draft = useMessageDraft(visit.id);
  const send = useSendMessage(visit);
  const thread = useRef<HTMLDivElement>(null);
  useMarkRead(thread, newestReply, visit.unreadMessages);
  return (
    <Card level={3} className={css.talk} title={t`Notifications`}>
      <div ref={thread}>
        <Conversation messages={messages} underWay={underWay} failed={failed} />
      </div>
      {(visit.optedOut || visit.isLandline) && (
        <div className={css.stopped}>
          <Banner tone="amber" icon={WarningIcon}>
            {textErrorAdvice({ problem: visit.optedOut ? 'opted-out' : 'landline', limitedUntil: null })}
          </Banner>
        </div>
      )}
      <MessageBox draft={draft} visit={visit} onSend={send} />
    </Card>
  );
}
