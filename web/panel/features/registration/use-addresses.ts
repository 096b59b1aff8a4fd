import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { searchAddresses, searchFromLetters } from '#contract/addresses.ts';
import { call } from '#web/kit/call.ts';

const pauseMs = 180;

/** The practices that match the typed text, searched after a short pause. Outdated responses are dropped. */
export function useAddresses(typed: string) {
  const query = typed.trim();
  const [searched, setSearched] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearched(query), pauseMs);
    return () => clearTimeout(timer);
  }, [query]);
  const enough = query.replace(/\s/g, '').length >= searchFromLetters;
  const search = useQuery({
    queryKey: ['addresses', searched],
    queryFn: ({ signal }) => call(searchAddresses, { query: { searchString: searched } }, { signal }),
    enabled: enough && searched.replace(/\s/g, '').length >= searchFromLetters,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
  });
  const waits = enough && (searched !== query || search.isFetching);
  return {
    found: enough ? (search.data ?? []) : [],
    enough,
    waits,
    failed: enough && !waits && search.isError,
    again: () => void search.refetch(),
  };
}
