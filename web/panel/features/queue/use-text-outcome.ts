import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { dismissToast, toast, type Toast } from '#web/panel/ui/toasts.ts';
import { followText, showSendingAfterMs, type FollowedText } from './follow-text.ts';
import { useTextErrorMessage } from './text-error-messages.ts';

interface Sayings {
  /** The toast shown once the carrier accepted the text. */
  sent: Toast;
  /** The title if the carrier refused; reason and advice follow. */
  refused: string;
}

/** `sent` only if the carrier accepted the text; otherwise `words` explain. */
export type TextOutcome = { state: 'sent' } | { state: 'refused' | 'open'; words: string };

/** Reports the outcome of a text: a success toast only if the carrier accepted it. */
export function useTextOutcome(): (visitId: string, text: FollowedText | null, says: Sayings) => Promise<TextOutcome> {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { why } = useTextErrorMessage();
  return async (visitId, text, { sent, refused }) => {
    const notYet = {
      state: 'open' as const,
      words: t`Not sent yet: the carrier has not answered. The Expected list shows when it does.`,
    };
    if (!text) return notYet;
    let waiting: number | undefined;
    const timer = setTimeout(() => {
      waiting = toast({ title: t`Sending…`, text: t`The carrier has not answered yet.`, seconds: 60 });
    }, showSendingAfterMs);
    const outcome = await followText(cache, visitId, text);
    clearTimeout(timer);
    if (waiting !== undefined) dismissToast(waiting);
    if (!outcome) return notYet;
    if (outcome.state === 'sent' || outcome.state === 'delivered') {
      toast(sent);
      return { state: 'sent' };
    }
    if (outcome.state === 'failed' || (outcome.state === 'held' && outcome.problem === 'rate')) {
      const words = why(outcome.problem);
      toast({ tone: 'red', title: refused, text: words, seconds: 10 });
      return { state: 'refused', words };
    }
    if (outcome.state === 'unknown' || outcome.state === 'held') {
      const title = outcome.state === 'held' ? t`The text was held back` : t`Delivery unknown`;
      const advice = t`Please call the patient to be sure.`;
      toast({ tone: 'amber', title, text: advice, seconds: 10 });
      return { state: 'open', words: `${title}. ${advice}` };
    }
    return { state: 'open', words: t`The text was not sent.` };
  };
}
