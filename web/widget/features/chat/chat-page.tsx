import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import type { ChatFront } from '#contract/website-chat.ts';
import { OfflineIcon } from '#web/icons/offline.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { useConnection } from '#web/kit/connection.ts';
import { Frame } from '#web/widget/ui/frame.tsx';
import { ChatFoot } from './chat-foot.tsx';
import css from './chat-page.module.css';
import { Composer } from './composer.tsx';
import { keepDraft } from './draft.ts';
import { endChatOf } from './end-chat.ts';
import { MessageLog } from './message-log.tsx';
import { TextMe } from './text-me.tsx';
import { useChat } from './use-chat.ts';

interface ChatPageProps {
  npi: string;
  token: string;
  front: ChatFront;
  /** There is no chat any more: the page forgets it. */
  onEnd: (why: 'expired' | 'ending') => void;
  /** What has become of the end that the visitor asked for. */
  onEnding: (outcome: 'by-visitor' | 'unreached') => void;
}

/** The visitor's conversation with the practice. */
export function ChatPage({ npi, token, front, onEnd, onEnding }: ChatPageProps) {
  const followed = useChat({ npi, token, front });
  const chat = followed?.chat;
  const isEnded = followed?.state.isEnded === true;
  useEffect(() => {
    if (!chat || !isEnded) return;
    // What was written is in the box of the next chat.
    void keepDraft(npi, chat.takeUnsent()).then(() => onEnd('expired'));
  }, [chat, isEnded, npi, onEnd]);
  if (!followed) return <Frame officeName={front.officeName} />;
  const { messages, unsent, isLoaded, isOfficeWriting, name, office, blocked } = followed.state;
  const { phoneEnding, textsBlocked } = followed.state;
  const hasAsked = messages.some(({ from }) => from === 'visitor');
  return (
    <Frame officeName={office.officeName}>
      <OfflineBar />
      <MessageLog
        officeName={office.officeName}
        messages={messages}
        unsent={unsent}
        isLoaded={isLoaded}
        isBlocked={blocked !== null}
        isOfficeWriting={isOfficeWriting}
        onSendAgain={followed.chat.sendAgain}
        onDiscard={followed.chat.discard}
      />
      <div role="alert">
        {blocked !== null && (
          <p className={css.blocked}>
            <WarningIcon />
            <span>{blocked}</span>
          </p>
        )}
      </div>
      {blocked === null && (
        <>
          {hasAsked && (
            <TextMe phoneEnding={phoneEnding} isBlocked={textsBlocked} onVerified={followed.chat.setPhoneEnding} />
          )}
          <Composer npi={npi} onSend={followed.chat.send} onWriting={followed.chat.noteWriting} />
        </>
      )}
      <ChatFoot
        name={name}
        onRename={blocked === null ? followed.chat.setName : null}
        onEnd={() => {
          followed.chat.takeUnsent();
          onEnd('ending');
          void endChatOf(npi, token, () => onEnding('unreached')).then(() => onEnding('by-visitor'));
        }}
      />
    </Frame>
  );
}

function OfflineBar() {
  const { t } = useLingui();
  const { lost } = useConnection();
  return (
    <div role="status">
      {lost && (
        <p className={css.offline}>
          <OfflineIcon />
          <span>{t`No connection. We keep trying, and send what you write when you’re back online.`}</span>
        </p>
      )}
    </div>
  );
}
