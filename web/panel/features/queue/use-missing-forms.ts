import { useEffect, useState } from 'react';

type Room = typeof import('./missing-forms.tsx');
let fetched: Room | null = null;

/** What asks for missing forms: fetched when the first patient with one is chosen, and not while the network is away. */
export function useMissingForms(wanted: boolean): Room | null {
  const [room, setRoom] = useState(fetched);
  useEffect(() => {
    if (room || !wanted) return;
    const load = () => {
      if (navigator.onLine)
        void import('./missing-forms.tsx').then(
          (it) => setRoom((fetched = it)),
          () => undefined,
        );
    };
    load();
    window.addEventListener('online', load);
    return () => window.removeEventListener('online', load);
  }, [room, wanted]);
  return room;
}
