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

/** The partner's brand. */
export const brandQuery = queryOptions({
  queryKey: ['config', 'partner'],
  queryFn: () => call(readPartner, { params }),
  staleTime: Infinity,
});

/** The application that the signed-in person started, on any device. */
export const applicationQuery = (personId: string) =>
  queryOptions({
    queryKey: ['partner', 'application', personId],
    queryFn: () => call(readPartnerApplication, { params }),
    staleTime: Infinity,
  });

const keepAfterMs = 800;

/** Saves the signed-in person's application shortly after the last edit and when the page is left; `forget` stops that. */
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
