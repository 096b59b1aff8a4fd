import { useEffect, useState } from 'react';

type MissingFormsModule = typeof import('./missing-forms.tsx');
let fetched: MissingFormsModule | null = null;

/** Loads the code that asks for missing forms when the first patient with one is selected; not while offline. */
export function useMissingForms(isNeeded: boolean): MissingFormsModule | null {
  const [loaded, setLoaded] = useState(fetched);
  useEffect(() => {
    if (loaded || !isNeeded) return;
    const load = () => {
      if (navigator.onLine)
        void import('./missing-forms.tsx').then(
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
