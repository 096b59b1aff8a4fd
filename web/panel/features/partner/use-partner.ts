import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import {
  partnerKey,
  readPartner,
  readPartnerApplication,
  savePartnerApplication,
  type PartnerDetails,
} from '#contract/partner.ts';
import { call } from '#web/kit/call.ts';
import { useSession } from '#web/kit/session.ts';
import { readDraft } from './partner-draft.ts';

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

/** Whether the server has this person's last edit. No data before the first edit. */
const lastSaveQuery = (personId: string) =>
  queryOptions<boolean>({ queryKey: ['partner', 'last-save', personId], queryFn: skipToken });

/** Whether the answers survive a reload: on the server, or in this browser for a person who is not signed in. */
export function useAreAnswersSaved(): boolean {
  const { person } = useSession();
  const personId = person?.id ?? '';
  const { data: isLastEditSaved } = useQuery(lastSaveQuery(personId));
  const { data: application } = useQuery({ ...applicationQuery(personId), enabled: false });
  return isLastEditSaved ?? (Boolean(application) || readDraft() !== null);
}

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
    const report = (isSaved: boolean) => void cache.setQueryData(lastSaveQuery(personId).queryKey, isSaved);
    report(false);
    call(savePartnerApplication, { params, body: details }).then(
      ({ kept }) => report(kept),
      () => undefined,
    );
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
