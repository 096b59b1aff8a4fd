import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  beginMerchantForm,
  openMerchantForms,
  readMerchantForm,
  saveMerchantAnswers,
  saveMerchantIdentity,
  type MerchantForm,
} from '#contract/merchant.ts';
import { call, type BodyOf } from '#web/kit/call.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { sessionQuery, useSession } from '#web/kit/session.ts';

const key = (officeId: string | undefined) => ['merchant', officeId];
const lookEveryMs = 10_000;

/** The practice's application. While the provider reviews it, it is looked at again now and then. */
export function useMerchantForm() {
  const { office } = useSession();
  const form = useQuery({
    queryKey: key(office?.id),
    queryFn: ({ signal }) => call(readMerchantForm, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'processing' ? lookEveryMs : false),
  });
  useRefetchOnHints(key(office?.id), ({ type }) => type === 'merchant');
  return form;
}

/** Puts a reply into the cache; the session shows whether there is an identity. */
function useKeepForm() {
  const cache = useQueryClient();
  const { office } = useSession();
  return (form: MerchantForm) => {
    cache.setQueryData(key(office?.id), form);
    return cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
}

export function useBegin() {
  const keep = useKeepForm();
  return useMutation({ mutationFn: () => call(beginMerchantForm), onSuccess: keep });
}

export function useSaveAnswers() {
  const keep = useKeepForm();
  return useMutation({
    mutationFn: (body: BodyOf<typeof saveMerchantAnswers>) => call(saveMerchantAnswers, { body }),
    onSuccess: keep,
  });
}

/** Makes a link on this click and follows it: it works for an hour and is kept nowhere. */
export function useOpenHostedForm() {
  return useMutation({
    mutationFn: () => call(openMerchantForms),
    onSuccess: ({ onboarding_link: { link_url: url } }) => location.assign(url),
  });
}

export function useSaveIdentity() {
  const keep = useKeepForm();
  return useMutation({
    mutationFn: (body: BodyOf<typeof saveMerchantIdentity>) => call(saveMerchantIdentity, { body }),
    onSuccess: keep,
  });
}
