import { useQuery } from '@tanstack/react-query';
import { readPoster } from '#contract/practice/office.ts';
import { call } from '#web/kit/call.ts';
import { useHints } from '#web/kit/live.ts';

export interface PosterFacts {
  officeName: string;
  url: string;
  qrSvg: string;
}

/** The office's poster: its name, the check-in address and the QR code. They change with the NPI. */
export function usePoster() {
  const poster = useQuery({ queryKey: ['poster'], queryFn: ({ signal }) => call(readPoster, {}, { signal }) });
  useHints(({ type }) => {
    if (type === 'settings') void poster.refetch();
  });
  return poster;
}
