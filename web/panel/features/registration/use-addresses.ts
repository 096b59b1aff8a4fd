import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { searchAddresses, searchFromLetters } from '#contract/addresses.ts';
import { call } from '#web/kit/call.ts';

const pauseMs = 180;

/** The practices nearest to what is typed, asked for after a short pause; an answer that was overtaken is dropped. */
export function useAddresses(typed: string) {
  const wanted = typed.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), pauseMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const enough = wanted.replace(/\s/g, '').length >= searchFromLetters;
  const search = useQuery({
    queryKey: ['addresses', asked],
    queryFn: ({ signal }) => call(searchAddresses, { query: { searchString: asked } }, { signal }),
    enabled: enough && asked.replace(/\s/g, '').length >= searchFromLetters,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  });
  const waits = enough && (asked !== wanted || search.isFetching);
  return {
    found: enough ? (search.data ?? []) : [],
    enough,
    waits,
    failed: enough && !waits && search.isError,
    again: () => void search.refetch(),
  };
}
