import { useQuery } from '@tanstack/react-query';
import { readPublicConfig, type PublicConfig } from '#contract/practice/office.ts';
import { boot } from './boot.ts';
import { call } from './call.ts';

/** The installation's public configuration, embedded in the page. */
export function usePublicConfig(): PublicConfig | undefined {
  const { data } = useQuery({
    queryKey: ['config', 'public'],
    queryFn: () => call(readPublicConfig),
    initialData: () => boot<{ config: PublicConfig }>().config,
    staleTime: Infinity,
  });
  return data;
}
