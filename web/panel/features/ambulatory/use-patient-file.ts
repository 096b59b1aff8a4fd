import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  readAmbuPatient,
  saveAmbuNotes,
  setFollowUp,
  type AmbuPatientFile,
  type CurrentNotes,
} from '#contract/ambulatory/patients.ts';
import type { AmbuPatient } from '#contract/ambulatory/shapes.ts';
import { openChatConversation } from '#contract/conversations/chat-conversations.ts';
import { call, CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { changesPatients } from './ambulatory-hints.ts';

export const fileKey = ['ambu-patient'] as const;

/** How the calls name a patient. */
export interface PatientIds {
  userCode: string;
  userId: string;
}

export const idsOf = ({ userData: { userCode, userId } }: AmbuPatient): PatientIds => ({ userCode, userId });
const keyOf = ({ userCode, userId }: PatientIds) => [...fileKey, userCode, userId];

/** One patient with surveys, callbacks and the practice's medians. */
export function usePatientFile(ids: PatientIds) {
  useRefetchOnHints(keyOf(ids), ({ type }) => changesPatients(type));
  return useQuery({
    queryKey: keyOf(ids),
    queryFn: ({ signal }) => call(readAmbuPatient, { params: ids }, { signal }),
    refetchInterval: pollMs,
  });
}

export const isNotesConflict = (error: unknown): boolean =>
  error instanceof CallError && error.code === 'notes_changed';

/** Saves the notes over the version that was read. If a colleague saved others meanwhile, the page shows those. */
export function useSaveNotes(ids: PatientIds) {
  const cache = useQueryClient();
  const show = (change: (file: AmbuPatientFile) => AmbuPatientFile) =>
    cache.setQueryData(keyOf(ids), (file: AmbuPatientFile | undefined) => file && change(file));
  return useMutation({
    mutationFn: (body: { notes: string; version: number }) => call(saveAmbuNotes, { params: ids, body }),
    onSuccess: (patient) => show((file) => ({ ...file, patient })),
    onSettled: () => cache.invalidateQueries({ queryKey: keyOf(ids) }),
    onError(error) {
      if (!isNotesConflict(error) || !(error instanceof CallError)) return;
      const { notes, version, saved } = error.body.current as CurrentNotes;
      show((file) => ({ ...file, patient: { ...file.patient, notes, notesVersion: version }, notesSaved: saved }));
    },
  });
}

/** Ends the surveys of a patient, with an undo, or takes them up again. */
export function useFollowUp(ids: PatientIds) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (active: boolean) => call(setFollowUp, { params: ids, body: { active } }),
    onSuccess(_, active) {
      if (active) toast({ title: t`The surveys go on` });
      else toast({ title: t`The surveys have ended`, action: { label: t`Undo`, run: () => mutate(true) } });
    },
    onError: (error) =>
      toast({ tone: 'red', title: errorMessage(error, t`The server could not be reached. Nothing was changed.`) }),
    onSettled: () => cache.invalidateQueries({ queryKey: keyOf(ids) }),
  });
  return { setActive: mutate, isPending };
}

/** Opens the chat with the patient; the conversation is created if there is none. */
export function useOpenChat() {
  const { t } = useLingui();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ patient, conversationId }: AmbuPatientFile) =>
      conversationId ??
      (await call(openChatConversation, { body: { targetUserCode: patient.userData.userCode } })).conversationId,
    onSuccess: (conversation) => navigate({ to: '/dashboard/chat', search: { conversation } }),
    onError: (error) => toast({ tone: 'red', title: errorMessage(error, t`The server could not be reached.`) }),
  });
}
