import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { ChatIcon } from '#web/icons/chat.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import { Frame } from '#web/widget/ui/frame.tsx';
import { Notice } from '#web/widget/ui/notice.tsx';
import css from './chat-page.module.css';
import { endChatOf } from './end-chat.ts';

interface WhoseChatProps {
  npi: string;
  token: string;
  officeName: string;
  onContinue: () => void;
  /** Someone else has the device: the chat is ended. */
  onOther: () => void;
}

/** Asks before the chat is shown again on a device that somebody else may have now. Nothing of the chat is on the page. */
export function WhoseChat({ npi, token, officeName, onContinue, onOther }: WhoseChatProps) {
  const { t } = useLingui();
  // What had the focus is gone, and the focus may be on the website around the frame.
  useEffect(() => {
    if (document.hasFocus()) document.querySelector<HTMLElement>('h1')?.focus();
  }, []);
  const endIt = () => {
    void endChatOf(npi, token);
    onOther();
  };
  return (
    <Frame>
      <Notice icon={ChatIcon} title={t`Is this your chat with ${officeName}?`}>
        <p>{t`Someone chatted on this device before. “Someone else” ends that chat.`}</p>
        <div className={css.buttons}>
          <button type="button" className={buttons.main} onClick={onContinue}>
            {t`Continue the chat`}
          </button>
          <button type="button" className={buttons.plain} onClick={endIt}>
            {t`Someone else`}
          </button>
        </div>
      </Notice>
    </Frame>
  );
}
