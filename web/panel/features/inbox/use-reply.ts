import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sendChatMessage } from '#contract/chat-conversations.ts';
import { noteWriting, pictureMaxBytes, sendMessage, type Message } from '#contract/conversations.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useHints } from '#web/kit/live.ts';
import { useSession } from '#web/kit/session.ts';
import { callWithForm } from '#web/kit/upload/call-with-progress.ts';
import { inboxKey } from './use-inbox.ts';
import { countsKey } from './use-inbox-counts.ts';
import { threadKey } from './use-thread.ts';

interface Draft {
  text: string;
  picture: File | null;
  /** Sent with the message: a retry of the same message makes no second one. */
  clientId: string;
}
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
  const tellWriting = useWritingNote(id);
  const keep = (next: Draft | undefined) => {
    if (next && (next.text !== '' || next.picture)) drafts.set(id, next);
    else drafts.delete(id);
    setDraft(drafts.get(id));
  };
  const send = useMutation({
    mutationFn: (sent: Draft) =>
      sent.picture ? sendPicture(id, sent, sent.picture, setProgress) : sendWords(id, sent),
    onSettled: () => setProgress(undefined),
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
  return {
    text,
    picture,
    isEmpty,
    isSending: send.isPending,
    /** The share of the picture that is sent, while it is. */
    progress,
    error:
      badPicture ??
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
    send() {
      const current = drafts.get(id);
      if (current && !isEmpty && !send.isPending) send.mutate(current);
    },
  };
}

const sendWords = (id: string, { text: body, clientId }: Draft): Promise<Message> =>
  call(sendMessage, { body: { conversationId: id, body, clientId } });

const uploadMs = 120_000;

function sendPicture(
  id: string,
  { text, clientId }: Draft,
  picture: File,
  onProgress: (share: number) => void,
): Promise<Message> {
  const form = new FormData();
  form.append('type', 'image');
  form.append('clientId', clientId);
  if (text.trim() !== '') form.append('body', text.trim());
  form.append('attachment', picture);
  const signal = AbortSignal.timeout(uploadMs);
  return callWithForm(sendChatMessage, { params: { id }, query: {} }, form, { signal, onProgress });
}

const writingEveryMs = 3_000;
const writingShownMs = 6_000;

/** Tells the other desks that this one is writing, every few seconds at most. */
function useWritingNote(id: string): () => void {
  const toldAt = useRef(0);
  return () => {
    const now = performance.now();
    if (toldAt.current !== 0 && now - toldAt.current < writingEveryMs) return;
    toldAt.current = now;
    void call(noteWriting, { params: { id } }).catch(() => undefined);
  };
}

/** Whether a colleague is writing in this conversation. */
export function useColleagueWriting(id: string): boolean {
  const { person } = useSession();
  const [until, setUntil] = useState(0);
  useHints(({ type, writing }) => {
    if (type === 'writing' && writing?.conversation === id && writing.person !== person?.id)
      setUntil(performance.now() + writingShownMs);
    if (type === 'messages') setUntil(0);
  });
  useEffect(() => {
    if (until === 0) return;
    const timer = setTimeout(() => setUntil(0), Math.max(0, until - performance.now()));
    return () => clearTimeout(timer);
  }, [until]);
  return until !== 0;
}
