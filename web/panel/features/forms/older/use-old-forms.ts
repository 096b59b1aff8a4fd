import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { bulkDownloadForms, downloadForm, listUserForms, readFormUrl } from '#contract/forms/desk.ts';
import { listCheckedIn, type CheckedIn } from '#contract/queue.ts';
import { call } from '#web/kit/call.ts';
import { openInTab } from '#web/kit/open-in-tab.ts';
import { callForFile, saveFile } from '#web/kit/call-file.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { useHints } from '#web/kit/live.ts';
import { useSession } from '#web/kit/session.ts';

const route = getRouteApi('/office/dashboard/forms');

/** Which page of the list is shown and whose popup is open: both in the address, neither a name. */
export function useOldFormsAddress() {
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  return {
    page,
    open,
    turnTo: (to: number) => void navigate({ search: to > 1 ? { page: to } : {} }),
    show: (visitId: string | undefined) => void navigate({ search: (now) => ({ ...now, open: visitId }) }),
  };
}

/** Today's checked-in patients, the last to come first. Looked up again at each check-in and each filed form. */
export function useTodaysPatients(today: string) {
  const npi = useSession().office?.npi ?? '';
  const list = useQuery({
    queryKey: ['checked-in', npi, today],
    queryFn: ({ signal }) => call(listCheckedIn, { params: { npi } }, { signal }),
    select: (patients) => patients.toReversed(),
  });
  useHints(({ type }) => {
    if (type === 'checkin' || type === 'forms' || type === 'refetch') void list.refetch();
  });
  return list;
}

/** The forms of one party, family member by family member. The labels come in the language on screen. */
export function usePatientForms({ id, patientUserCode, createdAt, formsFiled }: CheckedIn) {
  const npi = useSession().office?.npi ?? '';
  const language = useLanguage();
  return useQuery({
    // One more filed form is another answer; the one before stays on screen until it is here.
    queryKey: ['patient-forms', id, language, formsFiled],
    queryFn: ({ signal }) =>
      call(listUserForms, { query: { userCode: patientUserCode, npi, dateTime: createdAt } }, { signal }),
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
    gcTime: 0,
  });
}

/** Opens a form in a new tab. */
export function useOpenInTab() {
  return useMutation({
    mutationFn: (key: string) => openInTab(async () => (await call(readFormUrl, { query: { key } })).url),
  });
}

/** Saves one PDF. */
export function useSaveForm() {
  return useMutation({
    mutationFn: async (key: string) => saveFile(await callForFile(downloadForm, { query: { key } })),
  });
}

/** Saves all forms of a party as one zip. */
export function useSaveAll() {
  const npi = useSession().office?.npi ?? '';
  return useMutation({
    mutationFn: async (forms: string[]) =>
      saveFile(await callForFile(bulkDownloadForms, { body: { forms, bucket: npi } })),
  });
}
