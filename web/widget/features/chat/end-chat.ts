import { endChat } from '#contract/website-chat.ts';
import { call, CallError } from '#web/kit/call.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import { saveDraft, saveDraftPicture } from './draft.ts';
import { forgetUnsent } from './saved-unsent.ts';

/**
 * Forgets what was written and not sent, and ends the chat of a token for everybody. Returns when the practice knows; without a connection it
 * calls `onUnreached` and keeps trying while the page is open.
 */
export async function endChatOf(npi: string, token: string, onUnreached: () => void = () => undefined): Promise<void> {
  forgetUnsent(npi);
  saveDraft(npi, '');
  saveDraftPicture(npi, null);
  const end = () => call(endChat, {}, { keepalive: true, visitorToken: token });
  try {
    await end();
  } catch (error) {
    // A token that works no more: the chat has ended.
    if (error instanceof CallError && error.isRefusal) return;
    onUnreached();
    await retryUntilAnswered(end, new AbortController().signal).catch(() => undefined);
  }
}
