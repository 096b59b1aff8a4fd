import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const draftsKey = 'ambu-note-draft';

const isNote = (note: string | undefined) => note !== undefined && note.trim() !== '';

/** A note that is being written about a callback. It is there again when its dialog is opened again, until the panel locks or signs out. */
export function useNoteDraft(callbackId: string): [string, (note: string) => void] {
  const cache = useQueryClient();
  const key = [draftsKey, callbackId];
  const [note, setNote] = useState(() => cache.getQueryData<string>(key) ?? '');
  const change = (next: string) => {
    setNote(next);
    cache.setQueryDefaults(key, { gcTime: Infinity });
    cache.setQueryData(key, next);
  };
  return [note, change];
}

/** Whether a note about a callback was begun and is not saved. */
export function useHasNoteDraft(callbackId: string): boolean {
  const { data } = useQuery<string>({ queryKey: [draftsKey, callbackId], queryFn: skipToken, gcTime: Infinity });
  return isNote(data);
}

/** Asks before the panel is reloaded or closed while a note about a call is not saved, also when its dialog is closed. */
export function useAskBeforeNotesAreLost(): void {
  const cache = useQueryClient();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      const drafts = cache.getQueriesData<string>({ queryKey: [draftsKey] });
      if (drafts.some(([, note]) => isNote(note))) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [cache]);
}
