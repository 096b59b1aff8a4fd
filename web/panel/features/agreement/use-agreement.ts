import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  confirmSigned,
  downloadAgreement,
  readAgreement,
  retrieveSigning,
  type AgreementStatus,
  type SigningLink,
} from '#contract/agreement.ts';
import { call } from '#web/kit/call.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { sessionQuery, useSession } from '#web/kit/session.ts';

const key = (officeId: string | undefined) => ['agreement', officeId];
const lookEveryMs = 4_000;
const loadingMs = 1_000;
const againMs = 500;
const mostAgain = 8;

/** The agreement's status. Polled until it is signed, so that every device shows it. */
export function useAgreement() {
  const { office } = useSession();
  const status = useQuery({
    queryKey: key(office?.id),
    queryFn: ({ signal }) => call(readAgreement, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.hellosignComplete ? false : lookEveryMs),
    enabled: office !== null,
  });
  useRefetchOnHints(key(office?.id), ({ type }) => type === 'agreement');
  return status;
}

/** A link for one signing. Retries while the document is being prepared. */
export function useSigningLink() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (signing: {
      officeId: string;
      esign: string;
      email: string;
      name?: string;
    }): Promise<SigningLink> => {
      const { esign, ...body } = signing;
      for (let tries = 0; ; tries++) {
        const link = await call(retrieveSigning, { params: { esign }, body });
        if (link.status !== 'LOADING' || tries > 90) return link;
        await new Promise((resolve) => setTimeout(resolve, loadingMs));
      }
    },
    onSettled: (_link, _error, { officeId }) => cache.invalidateQueries({ queryKey: key(officeId) }),
  });
}

interface AgreementCheck extends Pick<AgreementStatus, 'officeId' | 'esign'> {
  /** Something happened in the frame, so the state is about to change. */
  afterEvent?: boolean;
}

/**
 * Makes the server ask the provider now: the frame's message is only a hint. For two seconds after its last check the server answers what it
 * saw then, so a check after an event is repeated until the state changes, for four seconds.
 */
export function useCheckAgreement() {
  const cache = useQueryClient();
  const { mutate } = useMutation({
    async mutationFn({ officeId, esign, afterEvent }: AgreementCheck) {
      for (let again = 0; ; again++) {
        const status = await call(confirmSigned, { params: { esign }, body: { id: officeId } });
        if (!afterEvent || status.agreement?.state !== 'open' || again === mostAgain) return status;
        await new Promise((resolve) => setTimeout(resolve, againMs));
      }
    },
    onSuccess: (status) => cache.setQueryData(key(status.officeId), status),
  });
  return mutate;
}

/** Refetches the session: the gate leads an office with a signed agreement to the next step. */
export function useContinue() {
  const cache = useQueryClient();
  return () => void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

/** Downloads the signed PDF by its short-lived address. */
export function useDownload() {
  return useMutation({
    mutationFn: () => call(downloadAgreement),
    onSuccess: ({ url, fileName }) => {
      const link = document.createElement('a');
      link.href = url;
      link.download = fileName;
      link.click();
    },
  });
}
