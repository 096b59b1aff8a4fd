import { queryOptions } from '@tanstack/react-query';
import { partnerKey, readPartner, readPartnerApplication } from '#contract/partner.ts';
import { call } from '#web/kit/call.ts';

const params = { partner: partnerKey };

/** How the partner's pages look. */
export const brandQuery = queryOptions({
  queryKey: ['config', 'partner'],
  queryFn: () => call(readPartner, { params }),
  staleTime: Infinity,
});

/** What the signed-in person typed here before, on whatever machine. */
export const applicationQuery = (personId: string) =>
  queryOptions({
    queryKey: ['partner', 'application', personId],
    queryFn: () => call(readPartnerApplication, { params }),
    staleTime: Infinity,
  });
