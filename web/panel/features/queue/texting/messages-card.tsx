import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { OpenedVisit, QueueEntry, VisitMessage } from '#contract/queue.ts';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { noTextsId } from '#web/panel/features/queue/keys/panel-places.ts';
import { Conversation } from './conversation.tsx';
import { MessageBox } from './message-box.tsx';
import { textErrorAdvice } from './text-error-messages.ts';
import css from '#web/panel/features/queue/patient/visit-panel.module.css';
import { useMarkRead } from './use-mark-read.ts';
import { useMessageDraft, useSendMessage, usePendingMessages } from './use-message.ts';
import { useWriter } from './use-writing.ts';
import { WritingNote } from './writing-note.tsx';

interface NotificationsProps {
  visit: QueueEntry;
  messages: VisitMessage[] | undefined;
  hasOlder: boolean;
  newestReply: OpenedVisit['newestReply'];
  quiet: OpenedVisit['quiet'];
  failed: boolean;
}

/** Where the conversation begins. */
export const talkId = 'visit-talk';

/** The conversation with its delivery status, and a box for a new message. */
export function MessagesCard({ visit, messages, hasOlder, newestReply, quiet, failed }: NotificationsProps) {
  const { t } = useLingui();
  const underWay = usePendingMessages(visit.id);
  const draft = useMessageDraft(visit.id);
  const send = useSendMessage(visit);
  const thread = useRef<HTMLDivElement>(null);
  useMarkRead(thread, {
    conversationId: newestReply?.conversationId,
    newest: messages && (newestReply?.sequence ?? 0),
    unread: visit.unreadMessages,
  });
  const newest = messages?.at(-1);
  const writer = useWriter({
    visitId: visit.id,
    ...(newestReply && { conversationId: newestReply.conversationId }),
    newest: newest && { id: newest.id, by: newest.from === 'patient' ? 'patient' : 'colleague' },
  });
  const block = visit.textBlock;
  return (
    <Card level={3} id={talkId} className={css.talk} title={t`Notifications`}>
      <div ref={thread} className={css.thread}>
        <Conversation
          messages={messages}
          older={hasOlder ? { conversationId: newestReply?.conversationId } : null}
          underWay={underWay}
          failed={failed}
        />
      </div>
      {block && (
        <div className={css.stopped} id={noTextsId}>
          <Banner tone="amber" icon={WarningIcon}>
            {textErrorAdvice({ problem: block, limitedUntil: null })}
          </Banner>
        </div>
      )}
      <WritingNote writer={writer} />
      <MessageBox draft={draft} visit={visit} quiet={block ? null : quiet} onSend={send} />
    </Card>
  );
}
