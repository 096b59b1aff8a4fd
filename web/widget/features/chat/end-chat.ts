import { endChat } from '#contract/website-chat.ts';
import { call, setVisitorToken } from '#web/kit/call.ts';
import { saveDraft } from './draft.ts';
import { saveUnsent } from './unsent-words.ts';

/** Ends the chat of a token for everybody, and forgets what was written and not sent. */
export function endChatOf(npi: string, token: string): void {
  setVisitorToken(token);
  void call(endChat, {}, { keepalive: true }).catch(() => undefined);
  setVisitorToken(null);
  saveUnsent(npi, []);
  saveDraft('');
}
