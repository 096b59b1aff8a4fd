import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import {
  assignConversation,
  closeConversation,
  markConversationRead,
  noteWriting,
  readConversation,
  readInbox,
  reopenConversation,
  searchInbox,
  sendMessage,
  type Conversation,
  type InboxFilter,
  type Thread,
} from '#contract/conversations.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useHints } from '#web/kit/live.ts';
import { useSession } from '#web/kit/session.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { changesInbox, countsKey, pollMs } from './use-inbox-counts.ts';

const inboxKey = ['inbox'] as const;
const threadKey = (id: string) => ['conversation', id] as const;

/** The conversations of a filter, those that match the search if there is one; more pages on demand. */
export function useInbox(filter: InboxFilter, search: string) {
  const list = useInfiniteQuery({
    queryKey: [...inboxKey, filter, search],
    queryFn: ({ pageParam, signal }) => {
      const page = { filter, ...(pageParam && { cursor: pageParam }) };
      return search
        ? call(searchInbox, { body: { ...page, search } }, { signal })
        : call(readInbox, { query: page }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
  useHints(({ type }) => {
    if (changesInbox(type)) void list.refetch();
  });
  return list;
}

/** A conversation; what is on screen is marked as read. */
export function useThread(id: string) {
  const cache = useQueryClient();
  const thread = useQuery({
    queryKey: threadKey(id),
    queryFn: ({ signal }) => call(readConversation, { params: { id }, query: {} }, { signal }),
    refetchInterval: pollMs,
  });
  useHints(({ type }) => {
    if (changesInbox(type)) void thread.refetch();
  });
  const unread = thread.data?.conversation.doctorUnread ?? 0;
  const newest = thread.data?.messages.at(-1)?.sequence ?? 0;
  const isVisible = useVisible();
  useEffect(() => {
    if (unread === 0 || newest === 0 || !isVisible) return;
    void call(markConversationRead, { params: { id }, body: { sequence: newest } }).then(
      () => cache.invalidateQueries({ queryKey: countsKey }),
      // Stays unread; the next hint or poll tries again.
      () => undefined,
    );
  }, [cache, id, isVisible, newest, unread]);
  return thread;
}

/** Whether somebody can see this window. */
function useVisible(): boolean {
  const [isVisible, setVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const note = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', note);
    return () => document.removeEventListener('visibilitychange', note);
  }, []);
  return isVisible;
}

interface Draft {
  text: string;
  /** Sent with the message: a retry of the same words makes no second message. */
  clientId: string;
}
const drafts = new Map<string, Draft>();

/** The answer that is being written, and how it is sent. It stays when another conversation is opened. */
export function useReply(id: string) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [text, setText] = useState(() => drafts.get(id)?.text ?? '');
  const tellWriting = useWritingNote(id);
  const send = useMutation({
    mutationFn: ({ text: body, clientId }: Draft) =>
      call(sendMessage, { body: { conversationId: id, body, clientId } }),
    onSuccess: async (_message, sent) => {
      if (drafts.get(id)?.clientId === sent.clientId) {
        drafts.delete(id);
        setText('');
      }
      await Promise.all([
        cache.refetchQueries({ queryKey: threadKey(id) }),
        cache.invalidateQueries({ queryKey: inboxKey }),
        cache.invalidateQueries({ queryKey: countsKey }),
      ]);
    },
  });
  return {
    text,
    isSending: send.isPending,
    error: send.error
      ? errorMessage(send.error, t`The message was not sent: the server could not be reached.`)
      : undefined,
    change(next: string) {
      drafts.set(id, { text: next, clientId: crypto.randomUUID() });
      setText(next);
      send.reset();
      if (next.trim() !== '') tellWriting();
    },
    send() {
      const draft = drafts.get(id);
      if (draft && draft.text.trim() !== '' && !send.isPending) send.mutate(draft);
    },
  };
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

type Change = 'close' | 'reopen' | 'assign' | 'unassign';

/** Closes, opens or assigns a conversation. Closing can be undone. */
export function useChangeConversation() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ id, change }: { id: string; change: Change }): Promise<Conversation> => {
      const params = { id };
      if (change === 'close') return call(closeConversation, { params });
      if (change === 'reopen') return call(reopenConversation, { params });
      return call(assignConversation, { params, body: { to: change === 'assign' ? 'me' : null } });
    },
    onSuccess: (conversation, { id, change }) => {
      cache.setQueryData(threadKey(id), (known: Thread | undefined) => known && { ...known, conversation });
      void cache.invalidateQueries({ queryKey: inboxKey });
      void cache.invalidateQueries({ queryKey: countsKey });
      if (change === 'close')
        toast({
          title: t`Conversation closed`,
          text: t`The patient’s next message opens it again.`,
          tone: 'green',
          action: { label: t`Undo`, run: () => mutate({ id, change: 'reopen' }) },
        });
    },
    onError: (error) =>
      toast({ title: errorMessage(error, t`The server could not be reached. Nothing was changed.`), tone: 'red' }),
  });
  return { change: (id: string, change: Change) => mutate({ id, change }), isPending };
}
