import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { bulkDownloadForms, listUserForms } from '#contract/forms/desk.ts';
import { listCheckedIn, type CheckedIn } from '#contract/queue.ts';
import { call } from '#web/kit/call.ts';
import { callForFile, saveFile } from '#web/kit/call-file.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { useSession } from '#web/kit/session.ts';
import { changesFormsLists } from './forms-hints.ts';

const route = getRouteApi('/office/dashboard/forms');

/** The list's page and the visit whose forms are open, both from the address. Neither is a name. */
export function useTodaysFormsAddress() {
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  return {
    page,
    open,
    turnTo: (to: number) => void navigate({ search: to > 1 ? { page: to } : {} }),
    show: (visitId: string | undefined) => void navigate({ search: (now) => ({ ...now, open: visitId }) }),
  };
}

/** Today's checked-in patients, the latest arrival first. Refetched at each check-in and each filed form. */
export function useTodaysPatients(today: string) {
  const npi = useSession().office?.npi ?? '';
  const queryKey = ['checked-in', npi, today];
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listCheckedIn, { params: { npi } }, { signal }),
    select: (patients) => patients.toReversed(),
    refetchInterval: pollMs,
  });
  useRefetchOnHints(queryKey, changesFormsLists);
  return list;
}

/** The forms of one visit's family, member by member. The server returns the labels in the panel's language. */
export function usePatientForms({ id, patientUserCode, createdAt, formsFiled }: CheckedIn) {
  const npi = useSession().office?.npi ?? '';
  const language = useLanguage();
  return useQuery({
    // A newly filed form makes a new key; the forms loaded before stay on screen until the new ones arrive.
    queryKey: ['patient-forms', id, language, formsFiled],
    queryFn: ({ signal }) =>
      call(listUserForms, { query: { userCode: patientUserCode, npi, dateTime: createdAt } }, { signal }),
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
    gcTime: 0,
  });
}

/** Saves all forms of a family as one zip. */
export function useSaveAll() {
  const npi = useSession().office?.npi ?? '';
  return useMutation({
    mutationFn: async (forms: string[]) =>
      saveFile(await callForFile(bulkDownloadForms, { body: { forms, bucket: npi } })),
  });
}
