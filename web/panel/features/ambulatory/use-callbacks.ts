import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import {
  listCallbacks,
  moveCallback,
  readCallbackCount,
  type CallbackMove,
  type NurseCallback,
} from '#contract/ambulatory/callbacks.ts';
import { call, CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { pollMs } from '#web/kit/poll.ts';
import { refetchAfterHint, useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { changesCallbacks } from './ambulatory-hints.ts';
import type { PainSort } from './patients-search.ts';
import { fileKey } from './use-patient-file.ts';
import { patientsKey } from './use-patients.ts';

const callbacksKey = ['ambu-callbacks'] as const;
const countKey = ['ambu-callback-count'] as const;

/** How many callbacks nobody has taken, and how many wait for the call: the same on every desk. */
export function useCallbackCount() {
  const count = useQuery({
    queryKey: countKey,
    queryFn: ({ signal }) => call(readCallbackCount, {}, { signal }),
    refetchInterval: pollMs,
  });
  useRefetchOnHints(countKey, ({ type }) => changesCallbacks(type));
  return count.data;
}

/** One page of the callbacks that are open or taken, the longest waiting first or by a pain score. Read again when their number changes. */
export function useCallbacks(page: number, { sort, ascending }: PainSort) {
  const cache = useQueryClient();
  const { open, waiting } = useCallbackCount() ?? {};
  const known = useRef<string>(undefined);
  useEffect(() => {
    const now = `${open}/${waiting}`;
    if (open !== undefined && known.current !== undefined && known.current !== now)
      void refetchAfterHint(cache, callbacksKey);
    if (open !== undefined) known.current = now;
  }, [cache, open, waiting]);
  useRefetchOnHints(callbacksKey, ({ type }) => changesCallbacks(type));
  return useQuery({
    queryKey: [...callbacksKey, page, sort, ascending],
    queryFn: ({ signal }) => {
      const sorted = sort && { sort, order: ascending ? ('asc' as const) : ('desc' as const) };
      return call(listCallbacks, { query: { page: String(page), ...sorted } }, { signal });
    },
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
}

interface MoveRequest {
  callback: Pick<NurseCallback, 'id' | 'version'>;
  move: CallbackMove;
  note?: string;
}

/** Reads everything again that shows callbacks. */
export function useReadAgain() {
  const cache = useQueryClient();
  return () =>
    Promise.all(
      [callbacksKey, countKey, patientsKey, fileKey].map((queryKey) =>
        cache.invalidateQueries({ queryKey: [...queryKey] }),
      ),
    );
}

/** Moves a callback. If a colleague was faster, a toast names them, and the lists show what they did. */
export function useMoveCallback() {
  const { t } = useLingui();
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: ({ callback: { id, version }, move, note }: MoveRequest) =>
      call(moveCallback, { params: { id }, body: { move, version, ...(note !== undefined && { note }) } }),
    onSettled: readAgain,
    onError(error) {
      const current = error instanceof CallError ? (error.body.current as NurseCallback | undefined) : undefined;
      const by = (current?.closedBy ?? current?.takenBy)?.name;
      const text = errorMessage(error, t`The server could not be reached. Nothing was changed.`);
      toast({ tone: 'red', title: text, seconds: 10, ...(by !== undefined && { text: by }) });
    },
  });
}
