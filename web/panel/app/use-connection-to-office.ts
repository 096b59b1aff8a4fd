import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { joinOffice, useHints } from '#web/kit/live.ts';
import { refetchAfterHint } from '#web/kit/refetch-after-hint.ts';
import { sessionQuery } from '#web/kit/session.ts';

/**
 * Keeps the live connection to the office open while the shell is on screen. When the connection was lost or restored, everything on
 * screen is refetched. The pages handle more specific hints.
 */
export function useConnectionToOffice(officeId: string | undefined): void {
  const cache = useQueryClient();
  useEffect(() => (officeId ? joinOffice(officeId) : undefined), [officeId]);
  useHints(({ type }) => {
    if (type === 'refetch') void cache.invalidateQueries();
    if (type === 'settings') void refetchAfterHint(cache, sessionQuery.queryKey);
  });
}
