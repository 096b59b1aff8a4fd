import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import {
  partnerKey,
  readPartner,
  readPartnerApplication,
  savePartnerApplication,
  type PartnerDetails,
} from '#contract/partner.ts';
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

const keepAfterMs = 800;

/** Keeps what the signed-in person types, a moment after the last letter and when the page is left; `forget` when it has become an office. */
export function useSaveApplication(personId: string | undefined) {
  const cache = useQueryClient();
  const due = useRef<{ timer: ReturnType<typeof setTimeout>; details: PartnerDetails } | null>(null);
  const save = useEffectEvent(() => {
    const details = due.current?.details;
    clearTimeout(due.current?.timer);
    due.current = null;
    if (!details || personId === undefined) return;
    cache.setQueryData(applicationQuery(personId).queryKey, details);
    void call(savePartnerApplication, { params, body: details }).catch(() => undefined);
  });
  useEffect(() => {
    const leave = () => save();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return {
    keep(details: PartnerDetails) {
      clearTimeout(due.current?.timer);
      due.current = { details, timer: setTimeout(() => save(), keepAfterMs) };
    },
    forget() {
      clearTimeout(due.current?.timer);
      due.current = null;
      if (personId !== undefined) cache.setQueryData(applicationQuery(personId).queryKey, null);
    },
  };
}
