import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sendChatMessage } from '#contract/conversations/chat-conversations.ts';
import {
  longestMessage,
  longestPictureText,
  noteWriting,
  pictureMaxBytes,
  sendMessage,
} from '#contract/conversations/messages.ts';
import type { AnswerWay, Message } from '#contract/conversations/shapes.ts';
import type { QuietChoice } from '#contract/queue.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { callWithForm } from '#web/kit/upload/call-with-progress.ts';
import { useTooLong } from '#web/kit/too-long.ts';
import { useTellWriting } from '#web/panel/features/queue/index.ts';
import { inboxKey } from './use-inbox.ts';
import { countsKey } from './use-inbox-counts.ts';
import { threadKey } from './use-thread.ts';

interface Draft {
  text: string;
  picture: File | null;
  /** Sent with the message: a retry of the same message makes no second one. */
  clientId: string;
}
interface Sending {
  quietHours: QuietChoice;
  /** How the screen says that an answer to a website's visitor goes. */
  way?: AnswerWay;
}
type Outgoing = Draft & Sending;

/** In memory only, for as long as the panel is open. */
const drafts = new Map<string, Draft>();

/** Pictures that a message can have. */
export const pictureTypes = ['image/png', 'image/jpeg'];

/** The answer that is being written, and how it is sent. It stays when another conversation is opened, and when sending fails. */
export function useReply(id: string) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [draft, setDraft] = useState(() => drafts.get(id));
  const [badPicture, setBadPicture] = useState<string>();
  const [progress, setProgress] = useState<number>();
  const tellWriting = useTellWriting(() => call(noteWriting, { params: { id } }));
  const keep = (next: Draft | undefined) => {
    if (next && (next.text !== '' || next.picture)) drafts.set(id, next);
    else drafts.delete(id);
    setDraft(drafts.get(id));
  };
  const send = useMutation({
    mutationFn: (sent: Outgoing) =>
      sent.picture ? sendPicture(id, sent, sent.picture, setProgress) : sendText(id, sent),
    onSettled: () => setProgress(undefined),
    // What is refused may look different now: a visitor has left, or a colleague blocked them.
    onError: () => void cache.invalidateQueries({ queryKey: threadKey(id) }),
    onSuccess: async (_message, sent) => {
      if (drafts.get(id)?.clientId === sent.clientId) keep(undefined);
      await Promise.all([
        cache.refetchQueries({ queryKey: threadKey(id) }),
        cache.invalidateQueries({ queryKey: inboxKey }),
        cache.invalidateQueries({ queryKey: countsKey }),
      ]);
    },
  });
  const change = (part: Partial<Draft>) => {
    const { text = '', picture = null } = drafts.get(id) ?? {};
    keep({ text, picture, ...part, clientId: crypto.randomUUID() });
    setBadPicture(undefined);
    send.reset();
  };
  const { text = '', picture = null } = draft ?? {};
  const isEmpty = text.trim() === '' && picture === null;
  const isCaptionTooLong = picture !== null && text.trim().length > longestPictureText;
  const tooLong = useTooLong(text, longestMessage);
  return {
    text,
    picture,
    isEmpty,
    isSending: send.isPending,
    /** The share of the picture that is sent, while it is. */
    progress,
    error:
      badPicture ??
      (isCaptionTooLong ? t`With a picture, a message can have ${longestPictureText} characters.` : undefined) ??
      tooLong ??
      (send.error
        ? errorMessage(send.error, t`The message was not sent: the server could not be reached.`)
        : undefined),
    change(next: string) {
      change({ text: next });
      if (next.trim() !== '') tellWriting();
    },
    attach(file: File | null) {
      change({ picture: file && pictureTypes.includes(file.type) && file.size <= pictureMaxBytes ? file : null });
      if (file && !pictureTypes.includes(file.type)) setBadPicture(t`Only PNG and JPEG pictures can be sent.`);
      else if (file && file.size > pictureMaxBytes)
        setBadPicture(t`This picture is too large. Send one of 10 MB at most.`);
    },
    send(sending: Sending) {
      const current = drafts.get(id);
      if (current && !isEmpty && !isCaptionTooLong && tooLong === undefined && !send.isPending)
        send.mutate({ ...current, ...sending });
    },
  };
}

const sendText = (id: string, { text: body, clientId, quietHours, way }: Outgoing): Promise<Message> =>
  call(sendMessage, { body: { conversationId: id, body, clientId, quietHours, ...(way && { way }) } });

const uploadMs = 120_000;

function sendPicture(
  id: string,
  { text, clientId, quietHours, way }: Outgoing,
  picture: File,
  onProgress: (share: number) => void,
): Promise<Message> {
  const form = new FormData();
  form.append('type', 'image');
  form.append('clientId', clientId);
  form.append('quietHours', quietHours);
  if (way) form.append('way', way);
  if (text.trim() !== '') form.append('body', text.trim());
  form.append('attachment', picture);
  const signal = AbortSignal.timeout(uploadMs);
  return callWithForm(sendChatMessage, { params: { id }, query: {} }, form, { signal, onProgress });
}
