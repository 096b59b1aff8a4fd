import { useQuery } from '@tanstack/react-query';
import { readPoster } from '#contract/practice/office.ts';
import { call } from '#web/kit/call.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';

export interface PosterFacts {
  officeName: string;
  url: string;
  qrSvg: string;
}

/** The office's poster: its name, the check-in address and the QR code. They change with the NPI. */
export function usePoster() {
  const queryKey = ['poster'];
  const poster = useQuery({ queryKey, queryFn: ({ signal }) => call(readPoster, {}, { signal }) });
  useRefetchOnHints(queryKey, ({ type }) => type === 'settings');
  return poster;
}
