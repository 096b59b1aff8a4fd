import { useEffect, useState } from 'react';

type QueueDialogsModule = typeof import('./queue-dialogs.tsx');
let fetched: QueueDialogsModule | null = null;

const firstInputs = ['keydown', 'pointerdown', 'online'] as const;

/** Loads the dialogs' code at the first key or press, so that it is there when one opens; not while offline. */
export function useQueueDialogs(): QueueDialogsModule | null {
  const [loaded, setLoaded] = useState(fetched);
  useEffect(() => {
    if (loaded) return;
    const load = () => {
      if (navigator.onLine)
        void import('./queue-dialogs.tsx').then(
          (it) => setLoaded((fetched = it)),
          () => undefined,
        );
    };
    for (const input of firstInputs) window.addEventListener(input, load);
    return () => {
      for (const input of firstInputs) window.removeEventListener(input, load);
    };
  }, [loaded]);
  return loaded;
}
