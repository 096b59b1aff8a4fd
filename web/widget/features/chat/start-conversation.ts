import { t } from '@lingui/core/macro';
import { readChatFront, startChat, type ChatFront } from '#contract/website-chat.ts';
import { call, CallError } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import type { Language } from '#web/kit/i18n.ts';
import { retryUntilAnswered } from '#web/kit/retry-until-answered.ts';

/** What the practice's chat shows before consent; null if it has none. Waits until the server answers. */
export async function fetchFront(npi: string, signal: AbortSignal): Promise<ChatFront | null> {
  try {
    return await retryUntilAnswered(() => call(readChatFront, { params: { npi } }, { signal }), signal);
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return null;
    throw error;
  }
}

/** The visitor agreed: opens their conversation. */
export async function startConversation(
  npi: string,
  { language, name }: { language: Language; name: string },
): Promise<{ token: string } | { problem: string }> {
  try {
    const { token } = await call(startChat, { params: { npi }, body: { consent: true, language, name: name.trim() } });
    return { token };
  } catch (error) {
    return { problem: errorMessage(error, t`The chat could not be started. Check your connection and try again.`) };
  }
}
