import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/** A note that is being written about a callback. It is there again when its dialog is opened again, until the panel locks or signs out. */
export function useNoteDraft(callbackId: string): [string, (note: string) => void] {
  const cache = useQueryClient();
  const key = ['ambu-note-draft', callbackId];
  const [note, setNote] = useState(() => cache.getQueryData<string>(key) ?? '');
  const change = (next: string) => {
    setNote(next);
    cache.setQueryDefaults(key, { gcTime: Infinity });
    cache.setQueryData(key, next);
  };
  return [note, change];
}
