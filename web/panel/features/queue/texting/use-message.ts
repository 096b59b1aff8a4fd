import { useLingui } from '@lingui/react/macro';
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { longestMessage } from '#contract/conversations/messages.ts';
import { messagePatient, type QueueEntry, type QuietChoice, type VisitMessage } from '#contract/queue.ts';
import { call } from '#web/kit/call.ts';
import { serverNow } from '#web/kit/clock.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { formatTime, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { draftOf, edit, setDraft, useDraft } from './message-drafts.ts';
import { useShownName } from '#web/panel/features/queue/privacy.tsx';
import { refetchVisit } from '#web/panel/features/queue/visits/use-queue.ts';
import { useTextOutcome } from './use-text-outcome.ts';

interface PendingMessage {
  visitId: string;
  patientName: string;
  userCode: string;
  body: string;
  quietHours: QuietChoice;
  /** ISO, by the server's clock. */
  at: string;
  key: string;
}

const messageKey = ['queue-message'] as const;

/** The unsent text of a visit and a function that changes it. */
export function useMessageDraft(visitId: string) {
  const { text, error } = useDraft(visitId);
  const change = (next: string) => edit(visitId, next);
  return { text, error, change };
}

/** The messages of a visit that have not reached the server yet. */
export function usePendingMessages(visitId: string): PendingMessage[] {
  const all = useMutationState({
    filters: { mutationKey: messageKey, status: 'pending' },
    select: (mutation) => mutation.state.variables as PendingMessage,
  });
  return all.filter((message) => message.visitId === visitId);
}

/** Sends the draft, if any. A text that could not be sent returns to the message box. */
export function useSendMessage(visit: QueueEntry): (choice: QuietChoice) => void {
  const { t } = useLingui();
  const cache = useQueryClient();
  const tellOutcome = useTextOutcome();
  const shownName = useShownName();
  const language = useLanguage();
  const zone = useOfficeZone();
  const { mutate } = useMutation<VisitMessage, Error, PendingMessage>({
    mutationKey: messageKey,
    mutationFn: ({ visitId, userCode, body, quietHours, key }) =>
      call(messagePatient, { params: { userCode }, body: { body, visitId, quietHours } }, { idempotencyKey: key }),
    onSuccess: async ({ textId, state, problem, limitedUntil, sendAt }, { visitId, patientName, body }) => {
      const name = shownName(patientName);
      refetchVisit(cache, visitId);
      if (sendAt !== null) {
        const time = formatTime(sendAt, language, zone);
        toast({
          title: t`The message goes out at ${time}`,
          text: t`It will be sent when quiet hours end.`,
          name,
          tone: 'amber',
        });
        return;
      }
      const text = textId && state ? { id: textId, state, problem, limitedUntil } : null;
      void tellOutcome(visitId, text, {
        name,
        sent: { title: t`Message sent`, text: t`The message was sent to the patient`, name },
        refused: t`Message to ${name} not sent`,
      }).then((outcome) => {
        // Restore the text, unless a new one is being written.
        if (outcome.state !== 'refused' || draftOf(visitId).text !== '') return;
        setDraft(visitId, { text: body, error: outcome.reason, key: crypto.randomUUID() });
      });
      await cache.refetchQueries({ queryKey: ['visit', visitId] });
    },
    onError: (error, { visitId, body, key }) => {
      const why = errorMessage(error, t`The message was not sent: the server could not be reached.`);
      const since = draftOf(visitId).text;
      setDraft(
        visitId,
        since ? { text: `${body}\n${since}`, error: why, key: crypto.randomUUID() } : { text: body, error: why, key },
      );
    },
  });
  return (quietHours) => {
    const { text, key } = draftOf(visit.id);
    const body = text.trim();
    if (body === '' || text.length > longestMessage) return;
    setDraft(visit.id, undefined);
    const { id: visitId, patientName, patientUserCode: userCode } = visit;
    mutate({ visitId, patientName, userCode, body, quietHours, key, at: new Date(serverNow()).toISOString() });
  };
}
