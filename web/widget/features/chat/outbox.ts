import { sendVisitorMessage, type VisitorMessage } from '#contract/website-chat.ts';
import { call, CallError } from '#web/kit/call.ts';
import { newKey, retryUntilAnswered } from '#web/kit/retry-until-answered.ts';
import { callWithForm } from '#web/kit/upload/call-with-progress.ts';
import { forgetPicture, keepPicture, keptPicture } from './kept-pictures.ts';
import { savedUnsent, saveUnsent, type SavedUnsent } from './saved-unsent.ts';

/** A message that the server has not confirmed. */
export interface Outgoing {
  /** Sent with the message: a retry makes no second one. */
  clientId: string;
  body: string;
  picture: File | null;
  /** A reload lost its picture, because the browser did not keep it: it is not sent. */
  isPictureLost: boolean;
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

/** The unsent messages, for the chat that continues. */
export interface Unsent {
  texts: string[];
  /** The first of the pictures: a message can have one. */
  picture: File | null;
}

/**
 * Sends messages one after the other, in the order in which they were written. Without a network they wait; a refused one waits for the visitor.
 * Messages that a reload interrupted are sent again with the same ids.
 */
export function openOutbox(npi: string, signal: AbortSignal, { onChange, onSent, onRefused }: OutboxHandlers) {
  const fromBefore = savedUnsent(npi);
  let unsent: Outgoing[] = fromBefore.map(restored);
  let isSending = false;

  const set = (next: Outgoing[]) => {
    unsent = next;
    saveUnsent(npi, unsent.map(toSaved));
    onChange(unsent);
  };
  const update = (clientId: string, change: Partial<Outgoing>) =>
    set(unsent.map((one) => (one.clientId === clientId ? { ...one, ...change } : one)));
  const remove = (clientId: string) => {
    void forgetPicture(clientId);
    set(unsent.filter((one) => one.clientId !== clientId));
  };

  /** Fetches the pictures that the page before has kept. */
  const fetchPictures = async () => {
    for (const { clientId, hasPicture } of fromBefore) {
      if (!hasPicture) continue;
      const picture = await keptPicture(clientId);
      update(clientId, picture ? { picture } : { isPictureLost: true, state: 'refused' });
      // For as long again in other tabs, unless the visitor has deleted it meanwhile.
      if (picture && unsent.some((one) => one.clientId === clientId)) await keepPicture(clientId, picture);
    }
  };
  const fetched = fetchPictures();

  const post = (one: Outgoing) =>
    one.picture
      ? sendPicture(one, one.picture, signal, (progress) => update(one.clientId, { progress }))
      : sendText(one, signal);

  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    await fetched;
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
      const clientId = newKey();
      if (picture) void keepPicture(clientId, picture);
      set([...unsent, { ...fresh, clientId, body, picture }]);
      void sendAll();
    },
    sendAgain(clientId: string) {
      update(clientId, { state: 'waiting', error: undefined });
      void sendAll();
    },
    remove,
    /** Empties it; returns what was not sent. */
    takeAll(): Unsent {
      const texts = unsent.map(({ body }) => body).filter((body) => body !== '');
      const picture = unsent.find((one) => one.picture)?.picture ?? null;
      for (const { clientId } of unsent) void forgetPicture(clientId);
      set([]);
      return { texts, picture };
    },
  };
}

const fresh = { isPictureLost: false, state: 'waiting', progress: 0, error: undefined } as const;

const toSaved = ({ clientId, body, picture, isPictureLost, state, error }: Outgoing): SavedUnsent => ({
  clientId,
  body,
  hasPicture: picture !== null || isPictureLost,
  refused: state === 'refused' ? answerIn(error) : null,
});

const answerIn = (error: unknown) =>
  error instanceof CallError ? { status: error.status, body: error.body } : { status: 500, body: {} };

/** A message of the page before. How long a limit lasts is not known any more, so the reason names no time. */
const restored = ({ clientId, body, refused }: SavedUnsent): Outgoing => ({
  ...fresh,
  clientId,
  body,
  picture: null,
  ...(refused && { state: 'refused', error: new CallError(refused.status, refused.body) }),
});

/** Also arrives if the page closes meanwhile. */
const sendText = ({ clientId, body }: Outgoing, signal: AbortSignal): Promise<VisitorMessage> =>
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
