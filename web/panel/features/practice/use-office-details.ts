import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  correctDetails,
  readOfficeDetails,
  readUnsignedDetails,
  saveOfficeDetails,
  type OfficeDetails,
} from '#contract/practice/details.ts';
import type { Field } from '#contract/practice/registration.ts';
import { call, CallError } from '#web/kit/call.ts';
import { useHints } from '#web/kit/live.ts';
import { sessionQuery } from '#web/kit/session.ts';

const key = ['office-details'] as const;

/** An office whose agreement is not signed yet has its own endpoints for its details. */
interface Which {
  unsigned?: boolean;
}

/** The office's details; refetched when a colleague changes them. */
export function useOfficeDetails({ unsigned = false }: Which = {}) {
  const cache = useQueryClient();
  useHints(({ type }) => {
    if (type === 'settings') void cache.invalidateQueries({ queryKey: key });
  });
  const read = unsigned ? readUnsignedDetails : readOfficeDetails;
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(read, {}, { signal }), staleTime: 0 });
}

export function useSaveOfficeDetails({ unsigned = false }: Which) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: OfficeDetails) => call(unsigned ? correctDetails : saveOfficeDetails, { body }),
    onSuccess(saved) {
      cache.setQueryData(key, saved);
      // The session has its name and time zone.
      void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
}

/** The fields that the server refused. */
export function refusedFields(error: Error | null): Field[] {
  if (!(error instanceof CallError) || error.code !== 'registration_incomplete') return [];
  const { errorList } = error.body.current as { errorList: { field: Field }[] };
  return errorList.map(({ field }) => field);
}
