import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { dismissToast, toast, type Toast } from '#web/panel/ui/toasts.ts';
import { followText, showSendingAfterMs, type FollowedText } from './follow-text.ts';
import { textErrorAdvice } from './text-error-messages.ts';

interface Sayings {
  /** Whom the text was for, as the queue shows them: several failures can be on screen at once. */
  name: string;
  /** The toast shown once the carrier accepted the text. */
  sent: Toast;
  /** The title if the carrier refused; reason and advice follow. */
  refused: string;
  /** How long a refusal is shown; 10 seconds if absent. */
  refusedSeconds?: number;
}

/** The failure on screen by visit: the next text to the same patient replaces it. */
const failureToasts = new Map<string, number>();

/** `sent` only if the carrier accepted the text; otherwise `reason` says why. */
export type TextOutcome = { state: 'sent' } | { state: 'refused' | 'open'; reason: string };

/** Reports the outcome of a text: a success toast only if the carrier accepted it. */
export function useTextOutcome(): (visitId: string, text: FollowedText | null, says: Sayings) => Promise<TextOutcome> {
  const { t } = useLingui();
  const cache = useQueryClient();
  return async (visitId, text, { name, sent, refused, refusedSeconds = 10 }) => {
    const notYet = {
      state: 'open' as const,
      reason: t`Not sent yet: the phone carrier has not answered. The Expected list shows when it does.`,
    };
    const dismissFailure = () => {
      const before = failureToasts.get(visitId);
      if (before !== undefined) dismissToast(before);
      failureToasts.delete(visitId);
    };
    if (!text) return notYet;
    let waiting: number | undefined;
    const timer = setTimeout(() => {
      waiting = toast({ title: t`Sending…`, text: t`The phone carrier has not answered yet.`, seconds: 60 });
    }, showSendingAfterMs);
    const outcome = await followText(cache, visitId, text);
    clearTimeout(timer);
    if (waiting !== undefined) dismissToast(waiting);
    if (!outcome) return notYet;
    dismissFailure();
    if (outcome.state === 'sent' || outcome.state === 'delivered') {
      toast(sent);
      return { state: 'sent' };
    }
    if (outcome.state === 'failed' || (outcome.state === 'held' && outcome.problem)) {
      const reason = textErrorAdvice(outcome);
      const about = name === '' || refused.includes(name) ? reason : `${name}: ${reason}`;
      failureToasts.set(visitId, toast({ tone: 'red', title: refused, text: about, seconds: refusedSeconds }));
      return { state: 'refused', reason };
    }
    if (outcome.state === 'unknown' || outcome.state === 'held') {
      const title = outcome.state === 'held' ? t`The text was held back` : t`Delivery unknown`;
      const advice = t`Please call the patient to be sure.`;
      const about = name === '' ? title : `${name}: ${title}`;
      failureToasts.set(visitId, toast({ tone: 'amber', title: about, text: advice, seconds: 10 }));
      return { state: 'open', reason: `${title}. ${advice}` };
    }
    return { state: 'open', reason: t`The text was not sent.` };
  };
}
