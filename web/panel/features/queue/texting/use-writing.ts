import { useEffect, useRef, useState } from 'react';
import { useHints } from '#web/kit/live.ts';
import { useSession } from '#web/kit/session.ts';

/** "Writing..." is shown this long after the last sign of it. */
const writingShownMs = 5_000;
const tellEveryMs = 3_000;

/** Who is writing to or from a patient: a colleague at another desk, or the patient. */
export type Writer = 'colleague' | 'patient';

interface WatchedThread {
  conversationId?: string;
  visitId?: string;
  /** The newest message on screen: whoever wrote it is not writing any more. */
  newest: NewestMessage | undefined;
}

export interface NewestMessage {
  id: string;
  by: Writer;
}

interface WritingSign {
  by: Writer;
  at: number;
}

/** What is shown after a new message: the sign of its writer ends, the other's stays. */
export const signAfter = (shown: WritingSign | null, writer: Writer | undefined): WritingSign | null =>
  shown?.by === writer ? null : shown;

/** Whether somebody else is writing in a conversation or to a visit. */
export function useWriter({ conversationId, visitId, newest }: WatchedThread): Writer | null {
  const { person } = useSession();
  const [writing, setWriting] = useState<WritingSign | null>(null);
  useHints(({ type, visit, writing: sign }) => {
    if (type !== 'writing' || !sign || sign.person === person?.id) return;
    const isHere =
      (conversationId !== undefined && sign.conversation === conversationId) ||
      (visitId !== undefined && visit === visitId);
    if (isHere) setWriting({ by: sign.person === null ? 'patient' : 'colleague', at: performance.now() });
  });
  const newestId = newest?.id;
  const newestBy = newest?.by;
  useEffect(() => {
    if (newestId !== undefined) setWriting((shown) => signAfter(shown, newestBy));
  }, [newestId, newestBy]);
  useEffect(() => {
    if (!writing) return;
    const timer = setTimeout(() => setWriting(null), writingShownMs);
    return () => clearTimeout(timer);
  }, [writing]);
  return writing?.by ?? null;
}

/** Calls `tell` while somebody writes, every few seconds at most. A failed call is ignored. */
export function useTellWriting(tell: () => Promise<unknown>): () => void {
  const toldAt = useRef(0);
  return () => {
    const now = performance.now();
    if (toldAt.current !== 0 && now - toldAt.current < tellEveryMs) return;
    toldAt.current = now;
    void tell().catch(() => undefined);
  };
}
