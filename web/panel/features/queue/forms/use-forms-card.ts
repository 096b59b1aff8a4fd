import { useEffect } from 'react';
import { lateFile } from '#web/panel/features/queue/page/late-file.ts';

const file = lateFile(() => import('./forms-card.tsx'));

/** Loads the code of the forms card when the first patient with a form is selected; not while offline. */
export function useFormsCard(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return;
    file.fetch();
    window.addEventListener('online', file.fetch);
    return () => window.removeEventListener('online', file.fetch);
  }, [isNeeded]);
  return file.useFile();
}
