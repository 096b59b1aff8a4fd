import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent } from 'react';
import buttons from '#web/questionnaire/ui/button.module.css';
import css from './new-message-bar.module.css';
import { newestMessage } from './visit-messages.tsx';
import { whenRead } from './when-read.ts';

interface NewMessageBarProps {
  messageId: string | undefined;
  onPress: () => void;
  /** The message was in view long enough to be read. */
  onRead: () => void;
}

/** Leads to the new message. */
export function NewMessageBar({ messageId, onPress, onRead }: NewMessageBarProps) {
  const { t } = useLingui();
  const read = useEffectEvent(onRead);
  useEffect(() => {
    const newest = newestMessage();
    if (newest) return whenRead(newest.querySelector<HTMLElement>('[dir]') ?? newest, () => read());
  }, [messageId]);
  return (
    <button type="button" className={`${buttons.main} ${css.bar}`} onClick={onPress}>
      {t`New message`}
    </button>
  );
}
