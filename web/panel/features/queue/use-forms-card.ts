import { useEffect, useState } from 'react';

export const formsCardId = 'visit-forms';

type FormsCardModule = typeof import('./forms-card.tsx');
let fetched: FormsCardModule | null = null;

/** Loads the code of the forms card when the first patient with a form is selected; not while offline. */
export function useFormsCard(isNeeded: boolean): FormsCardModule | null {
  const [loaded, setLoaded] = useState(fetched);
  useEffect(() => {
    if (loaded || !isNeeded) return;
    const load = () => {
      if (navigator.onLine)
        void import('./forms-card.tsx').then(
          (it) => setLoaded((fetched = it)),
          () => undefined,
        );
    };
    load();
    window.addEventListener('online', load);
    return () => window.removeEventListener('online', load);
  }, [loaded, isNeeded]);
  return loaded;
}
