import { sendVisitorMessage, type VisitorMessage } from '#contract/website-chat.ts';
import { call } from '#web/kit/call.ts';
import { newKey, retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import { callWithForm } from '#web/kit/upload/call-with-progress.ts';
import { savedUnsent, saveUnsent } from './unsent-words.ts';

/** A message that the server has not confirmed. */
export interface Outgoing {
  /** Sent with the message: a retry makes no second one. */
  clientId: string;
  body: string;
  picture: File | null;
  state: 'waiting' | 'sending' | 'refused';
  /** The share of the picture that is sent, 0 to 1. */
  progress: number;
  /** Why it was refused. */
  error: unknown;
}

interface OutboxHandlers {
  onChange: (unsent: Outgoing[]) => void;
  onSent: (message: VisitorMessage) => void;
  /** The server refused a message; true if the chat has ended, so that sending stops. */
  onRefused: (error: unknown) => boolean;
}

const uploadMs = 120_000;

/**
 * Sends messages one after the other, in the order in which they were written. Without a network they wait; a refused one waits for the visitor.
 * Words that a reload interrupted are sent again, with the same ids.
 */
export function openOutbox(npi: string, signal: AbortSignal, { onChange, onSent, onRefused }: OutboxHandlers) {
  let unsent: Outgoing[] = savedUnsent(npi).map((words) => newOutgoing(words));
  let isSending = false;

  const set = (next: Outgoing[]) => {
    unsent = next;
    saveUnsent(npi, unsent.filter(({ picture }) => !picture).map(({ clientId, body }) => ({ clientId, body }))); // prettier-ignore
    onChange(unsent);
  };
  const update = (clientId: string, change: Partial<Outgoing>) =>
    set(unsent.map((one) => (one.clientId === clientId ? { ...one, ...change } : one)));
  const remove = (clientId: string) => set(unsent.filter((one) => one.clientId !== clientId));

  const post = (one: Outgoing) =>
    one.picture
      ? sendPicture(one, one.picture, signal, (progress) => update(one.clientId, { progress }))
      : sendWords(one, signal);

  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    const nextWaiting = () => unsent.find(({ state }) => state === 'waiting');
    for (let next = nextWaiting(); next && !signal.aborted; next = nextWaiting()) {
      const one = next;
      update(one.clientId, { state: 'sending', progress: 0 });
      try {
        const message = await retryUntilAnswered(() => post(one), signal);
        remove(one.clientId);
        onSent(message);
      } catch (error) {
        if (signal.aborted) return;
        update(one.clientId, { state: 'refused', error });
        if (onRefused(error)) return;
      }
    }
    isSending = false;
  };

  return {
    /** What is left from before a reload. */
    start() {
      onChange(unsent);
      void sendAll();
    },
    add(body: string, picture: File | null) {
      set([...unsent, newOutgoing({ clientId: newKey(), body, picture })]);
      void sendAll();
    },
    sendAgain(clientId: string) {
      update(clientId, { state: 'waiting', error: undefined });
      void sendAll();
    },
    remove,
    /** Empties it; returns the words that were not sent. */
    takeWords(): string[] {
      const bodies = unsent.map(({ body }) => body).filter((body) => body !== '');
      set([]);
      return bodies;
    },
  };
}

const newOutgoing = (given: { clientId: string; body: string; picture?: File | null }): Outgoing => ({
  picture: null,
  state: 'waiting',
  progress: 0,
  error: undefined,
  ...given,
});

/** Also arrives if the page closes meanwhile. */
const sendWords = ({ clientId, body }: Outgoing, signal: AbortSignal): Promise<VisitorMessage> =>
  call(sendVisitorMessage, { body: { clientId, body } }, { signal, keepalive: true });

function sendPicture(
  { clientId, body }: Outgoing,
  picture: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<VisitorMessage> {
  const form = new FormData();
  // The fields come before the file: the server reads them first.
  form.append('clientId', clientId);
  if (body !== '') form.append('body', body);
  form.append('attachment', picture);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(uploadMs)]);
  return callWithForm(sendVisitorMessage, {}, form, { signal: limited, onProgress });
}
