import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readPanels, savePanels, type PanelChoices } from '#contract/practice/panels.ts';
import { call } from '#web/kit/call.ts';
import { useHints } from '#web/kit/live.ts';
import { sessionQuery } from '#web/kit/session.ts';

const key = ['panels'] as const;

/** Which panel and screens the office works with; refetched when a colleague switches them. */
export function usePanels() {
  const cache = useQueryClient();
  useHints(({ type }) => {
    if (type === 'settings') void cache.invalidateQueries({ queryKey: key });
  });
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(readPanels, {}, { signal }), staleTime: 0 });
}

export function useSavePanels() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (choices: PanelChoices) => call(savePanels, { body: choices }),
    onSuccess(saved) {
      cache.setQueryData(key, saved);
      // The session knows the tabs and the page to open.
      void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
}
