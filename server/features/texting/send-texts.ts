import { heldAfterMinutes } from '#contract/texting.ts';
import type { Services } from '#server/context.ts';
import { SmsRefused } from '#server/providers/sms/port.ts';
import { bodyToSend } from './link-in-text.ts';
import { referenceOf, settle, settleAsReported } from './text-outcomes.ts';
import { claimTexts, takeOverTexts, type ClaimedText, type LeftText } from './sql.ts';

/** How long things may take, in milliseconds. */
export interface Pace {
  /** A claim is one worker's for this long; after it, any worker looks the text up. */
  leaseMs: number;
  /** The carrier has this long to answer; well under the lease, so that no call is still on its way when the text is looked up. */
  answerWithinMs: number;
  /** Texts on their way at once in one process. */
  atOnce: number;
  /** A text the carrier cannot say anything about is shown as unknown this long after its claim. */
  giveUpAfterMs: number;
}

export const usualPace: Pace = { leaseMs: 20_000, answerWithinMs: 10_000, atOnce: 10, giveUpAfterMs: 120_000 };

/** One process that sends: its name in the ledger, and its pace. */
export interface Worker {
  name: string;
  pace: Pace;
}

/** A claimed text, and the moment (of this process's own steady clock) after which it must not be started. */
export type Sendable = ClaimedText & { startBy: number };

/** Claims up to `limit` due texts for this worker. */
export async function takeDue(services: Services, { name, pace }: Worker, limit: number): Promise<Sendable[]> {
  const startBy = performance.now() + pace.leaseMs - pace.answerWithinMs;
  const texts = await claimTexts(services.pool, { worker: name, now: services.now(), leaseMs: pace.leaseMs, limit });
  return texts.map((text) => ({ ...text, startBy }));
}

/** Sends one claimed text outside any transaction and writes down what became of it. Where nobody can say, it is left to be looked up. */
export async function sendClaimed(services: Services, { name, pace }: Worker, text: Sendable): Promise<void> {
  const held = { officeId: text.officeId, id: text.id, worker: name };
  if (text.optedOut) return void (await settle(services, held, 'fail', { errorClass: 'opted-out' }));
  if (services.now().getTime() - text.sendAt.getTime() > heldAfterMinutes * 60_000)
    return void (await settle(services, held, 'hold'));
  if (performance.now() > text.startBy) return; // this process stood still; by now another may hold the text

  const body = bodyToSend(services, text);
  if (body === null) {
    services.log.error(
      { office: text.officeId, text: text.id },
      'the link of a text is missing or cannot be decrypted',
    );
    return void (await settle(services, held, 'fail', { errorClass: 'other' }));
  }

  try {
    const { providerId } = await withPatience(pace.answerWithinMs, (signal) =>
      services.providers.sms.send({ from: text.from, to: text.to, body, reference: referenceOf(text) }, signal),
    );
    await settle(services, text, 'send', { providerId, sentAt: services.now() });
  } catch (error) {
    if (!(error instanceof SmsRefused)) return logUnknown(services, text, error);
    if (error.tryAgain) await settle(services, held, 'release', { retryAt: later(services.now(), text.tries) });
    else await settle(services, held, 'fail', { errorClass: error.errorClass });
  }
}

/** Looks up what became of texts whose worker died or could not tell; true when more may be left. */
export async function settleLeft(services: Services, worker: Worker): Promise<boolean> {
  const { pace, name } = worker;
  const left = await takeOverTexts(services.pool, { worker: name, leaseMs: pace.leaseMs, limit: pace.atOnce });
  await Promise.all(left.map((text) => settleOne(services, worker, text)));
  return left.length === pace.atOnce;
}

/** Found: as the carrier says. Surely never taken: may be tried again. Cannot say: asked again later, then shown; never sent again blindly. */
async function settleOne(services: Services, { name, pace }: Worker, text: LeftText): Promise<void> {
  const held = { officeId: text.officeId, id: text.id, worker: name };
  try {
    const { from, to, claimedAt: after } = text;
    const found = await withPatience(pace.answerWithinMs, () =>
      services.providers.sms.find({ from, to, reference: referenceOf(text), after }),
    );
    if (found) await settleAsReported(services, text, found);
    else await settle(services, held, 'release');
  } catch (error) {
    if (text.claimedMsAgo >= pace.giveUpAfterMs) await settle(services, held, 'giveUp');
    else logUnknown(services, text, error);
  }
}

function logUnknown(services: Services, text: { officeId: string; id: string }, error: unknown): void {
  services.log.warn(
    { office: text.officeId, text: text.id, err: error },
    'the fate of a text is unknown; it will be looked up',
  );
}

/** 2, 4, 8 … seconds, at most a minute. Without an end: after an hour the text is held. */
const later = (now: Date, tries: number) => new Date(now.getTime() + Math.min(60, 2 ** Math.min(tries, 6)) * 1000);

/** Waits for an answer no longer than this, whether or not the asked one heeds the signal. */
async function withPatience<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true });
  });
  return Promise.race([ask(signal), over]);
}
