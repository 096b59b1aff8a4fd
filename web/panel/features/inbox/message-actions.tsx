import { useLingui } from '@lingui/react/macro';
import type { Message } from '#contract/conversations/shapes.ts';
import { CloseIcon } from '#web/icons/close.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { useNow } from '#web/kit/clock.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './inbox.module.css';
import { useCancel, useRetry, useSendNow } from './use-message-actions.ts';

interface MessageActionsProps {
  conversationId: string;
  message: Message;
  mayRetry: boolean;
}

/** What the desk can do about an answer that has not reached the patient: send it again, not wait for the end of quiet hours, or cancel it. */
export function MessageActions({ conversationId, message, mayRetry }: MessageActionsProps) {
  const { t } = useLingui();
  const now = useNow();
  const retry = useRetry(conversationId, message);
  const sendNow = useSendNow(conversationId, message._id);
  const cancel = useCancel(conversationId, message);
  const { sender, type, state, sendAt } = message;
  if (sendAt !== null && Date.parse(sendAt) > now)
    return (
      <div className={css.messageActions}>
        <Button size="s" icon={SendIcon} busy={sendNow.isPending} onClick={() => sendNow.mutate()}>
          {t`Send now anyway`}
        </Button>
        <Button size="s" icon={CloseIcon} busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {t`Cancel`}
        </Button>
        <ErrorText error={sendNow.error ?? cancel.error} />
      </div>
    );
  const maySendAgain = state === 'failed' || state === 'cancelled';
  if (!mayRetry || sender !== 'doctor' || type !== 'text' || !maySendAgain) return null;
  return (
    <div className={css.messageActions}>
      <Button size="s" icon={RefreshIcon} busy={retry.isPending} onClick={() => retry.mutate()}>
        {state === 'failed' ? t`Retry` : t`Send again`}
      </Button>
      <ErrorText error={retry.error} />
    </div>
  );
}
