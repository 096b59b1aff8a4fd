import { heldAfterMinutes } from '#contract/texting.ts';
import type { Services } from '#server/context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { SmsRefused, type OtherTexts } from '#server/providers/sms/port.ts';
import { timeAfterQuiet } from './late-texts.ts';
import { bodyToSend } from './link-in-text.ts';
import { commitTextMove, applyCarrierReport } from './text-outcomes.ts';
import { referenceOf } from './text-reference.ts';
import { bodyOfText, claimTexts, takeOverTexts, textsBetween, type ClaimedText, type AbandonedText } from './sql.ts';

/** The time limits of sending, in milliseconds. */
export interface Pace {
  /** A claim belongs to one worker for this long; then any worker may look the text up at the carrier. */
  leaseMs: number;
  /** The carrier's time to answer. Well below the lease, so that no call is in flight when another worker looks the text up. */
  answerWithinMs: number;
  /** Texts that one process sends at the same time. */
  atOnce: number;
  /** A text whose fate the carrier cannot tell becomes `unknown` this long after its claim. */
  giveUpAfterMs: number;
}

export const usualPace: Pace = { leaseMs: 20_000, answerWithinMs: 10_000, atOnce: 10, giveUpAfterMs: 120_000 };

/** A sending process: its name in the ledger, and its pace. */
export interface Worker {
  name: string;
  pace: Pace;
}

/** A claimed text, and the time (of this process's monotonic clock) after which sending must not start. */
export type SendableText = ClaimedText & { startBy: number };

/** Claims up to `limit` due texts for this worker. */
export async function claimDueTexts(
  services: Services,
  { name, pace }: Worker,
  limit: number,
): Promise<SendableText[]> {
  const startBy = performance.now() + pace.leaseMs - pace.answerWithinMs;
  const texts = await claimTexts(services.pool, { worker: name, now: services.now(), leaseMs: pace.leaseMs, limit });
  return texts.map((text) => ({ ...text, startBy }));
}

/** Sends one claimed text outside any transaction and saves the outcome. If the outcome is unknown, it is looked up later. */
export async function sendClaimedText(services: Services, { name, pace }: Worker, text: SendableText): Promise<void> {
  const claim = { officeId: text.officeId, id: text.id, worker: name };
  if (text.block) return void (await commitTextMove(services, claim, 'fail', { errorClass: text.block }));
  if (text.appointmentAt !== null && services.now() >= text.appointmentAt)
    return void (await commitTextMove(services, claim, 'hold', { errorClass: 'after-appointment' }));
  if (services.now().getTime() - text.sendAt.getTime() > heldAfterMinutes * 60_000)
    return void (await commitTextMove(services, claim, 'hold'));
  const later = await timeAfterQuiet(services, text);
  if (later === 'hold') return void (await commitTextMove(services, claim, 'hold'));
  if (later) return void (await commitTextMove(services, claim, 'release', later));
  if (performance.now() > text.startBy) return; // this process was stalled; another may have claimed the text

  const body = bodyToSend(services, text);
  if (body === null) {
    services.log.error(
      { office: text.officeId, text: text.id },
      'the link of a text is missing or cannot be decrypted',
    );
    return void (await commitTextMove(services, claim, 'fail', { errorClass: 'other' }));
  }

  try {
    const { providerId } = await withTimeout(pace.answerWithinMs, (signal) =>
      services.providers.sms.send({ from: text.from, to: text.to, body, reference: referenceOf(text) }, signal),
    );
    await commitTextMove(services, text, 'send', { providerId, sentAt: services.now() });
  } catch (error) {
    if (!(error instanceof SmsRefused)) return logUnknown(services, text, error);
    if (error.tryAgain)
      await commitTextMove(services, claim, 'release', { retryAt: retryTime(services.now(), text.tries) });
    else await commitTextMove(services, claim, 'fail', { errorClass: error.errorClass });
  }
}

/** Looks up texts whose worker died or did not learn the outcome; true if more may be left. */
export async function resolveAbandonedTexts(services: Services, worker: Worker): Promise<boolean> {
  const { pace, name } = worker;
  const texts = await takeOverTexts(services.pool, { worker: name, leaseMs: pace.leaseMs, limit: pace.atOnce });
  await Promise.all(texts.map((text) => resolveAbandonedText(services, worker, text)));
  return texts.length === pace.atOnce;
}

/**
 * If the carrier has the text, takes over its status. If it definitely never received it, requeues it. If it cannot tell, checks again later
 * and finally marks the text `unknown`. Never resends a text that may have been sent.
 */
async function resolveAbandonedText(services: Services, { name, pace }: Worker, text: AbandonedText): Promise<void> {
  const claim = { officeId: text.officeId, id: text.id, worker: name };
  try {
    const { from, to, claimedAt: after, claimedMsAgo: ageMs } = text;
    const body = await sentBody(services, text);
    const found = await withTimeout(pace.answerWithinMs, () =>
      services.providers.sms.find({ from, to, body, reference: referenceOf(text), after, ageMs }, (since) =>
        otherTexts(services, text, since),
      ),
    );
    if (found) await applyCarrierReport(services, text, found);
    else await commitTextMove(services, claim, 'release');
  } catch (error) {
    if (text.claimedMsAgo >= pace.giveUpAfterMs) await commitTextMove(services, claim, 'giveUp');
    else logUnknown(services, text, error);
  }
}

/** The body as it was handed to the carrier; empty if its link is gone. */
async function sentBody(services: Services, { officeId, id }: AbandonedText): Promise<string> {
  const row = await asOffice(services.db, officeId, (tx) => bodyOfText(tx, officeId, id));
  return row ? (bodyToSend(services, { id, ...row }) ?? '') : '';
}

function otherTexts({ db }: Services, text: AbandonedText, since: Date): Promise<OtherTexts> {
  return asOffice(db, text.officeId, async (tx) => {
    const rows = await textsBetween(tx, text, since);
    return {
      providerIds: new Set(rows.flatMap(({ providerId }) => providerId ?? [])),
      undecidedTwin: rows.some(({ providerId, isTwin }) => providerId === null && isTwin),
    };
  });
}

function logUnknown(services: Services, text: { officeId: string; id: string }, error: unknown): void {
  services.log.warn(
    { office: text.officeId, text: text.id, err: error },
    'text status unknown; will query the carrier',
  );
}

/** Retries after 2, 4, 8 … seconds, at most a minute. There is no last retry: after an hour the text is held. */
const retryTime = (now: Date, tries: number) => new Date(now.getTime() + Math.min(60, 2 ** Math.min(tries, 6)) * 1000);

/** Waits for an answer at most this long, even if the call ignores the signal. */
async function withTimeout<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true });
  });
  return Promise.race([ask(signal), over]);
}
