import type { TextErrorClass } from '#contract/queue.ts';
import type { Services } from '#server/context.ts';
import { isSigned, signatureHeader } from '#server/kit/crypto/signature.ts';
import { claimLocalNumber } from './local-numbers.ts';
import { MediaRefused, SmsSignatureInvalid, SmsRefused, type Sms } from './port.ts';

/** What can go wrong after the carrier has accepted the text. */
export type Fault = 'error-after' | 'timeout-after';

/** Twilio's test numbers and how they fail; the 202 555 00xx below them are ours, because area code 500 cannot be typed at a desk. */
export const refusedTo: Readonly<Record<string, TextErrorClass>> = {
  '+12025550001': 'bad-number',
  '+12025550002': 'bad-number',
  '+12025550003': 'sender',
  '+12025550004': 'landline',
  '+15005550001': 'bad-number',
  '+15005550002': 'bad-number',
  '+15005550003': 'sender',
  '+15005550004': 'opted-out',
  '+15005550009': 'bad-number',
};
export const refusedFrom: Readonly<Record<string, TextErrorClass>> = {
  '+15005550001': 'sender',
  '+15005550007': 'sender',
  '+15005550008': 'rate',
};
/** Our own test numbers: failures after the carrier has accepted the text. */
export const faultOf: Readonly<Record<string, Fault>> = {
  '+15005550500': 'error-after',
  '+15005550504': 'timeout-after',
};
/** How a text to these numbers fails after it was sent. */
export const failsLater: Readonly<Record<string, TextErrorClass>> = {
  '+15005550030': 'delivery',
  '+12025550005': 'landline',
};

/** Milliseconds from accepting a text (reported as sent) to reporting its delivery. */
export const reportAfterMs = 1_500;

export type LocalServices = Pick<Services, 'db' | 'id' | 'now' | 'env'>;

/**
 * The local carrier. Like a real one it is not idempotent (two sends are two texts), keeps its texts where a crash of ours cannot reach
 * them, sends signed delivery reports (local-reports.ts), and can be made to fail.
 */
export function localSms(
  { db, id, now, env }: LocalServices,
  fault: (to: string) => Fault | undefined = (to) => faultOf[to],
): Sms {
  return {
    name: 'local',
    async send({ from, to, body, reference }, signal) {
      const refused = refusedTo[to] ?? refusedFrom[from];
      if (refused) throw new SmsRefused(refused);
      const providerId = id();
      const at = now();
      const reportAt = new Date(at.getTime() + reportAfterMs);
      await db
        .insertInto('dev.outbox')
        .values({
          id: providerId,
          channel: 'text',
          sender: from,
          recipient: to,
          body,
          reference,
          state: 'accepted',
          at,
          reportAt,
        })
        .execute();
      const goesWrong = fault(to);
      if (goesWrong === 'error-after') throw new Error('the carrier answered 500');
      if (goesWrong === 'timeout-after') await never(signal);
      return { providerId };
    },

    async find({ from, to, reference }) {
      const row = await db
        .selectFrom('dev.outbox')
        .select(['id', 'state', 'errorClass'])
        .where('channel', '=', 'text')
        .where('reference', '=', reference)
        .where('sender', '=', from)
        .where('recipient', '=', to)
        .orderBy('at')
        .limit(1)
        .executeTakeFirst();
      if (!row) return null;
      const state = row.state === 'delivered' || row.state === 'failed' ? row.state : 'sent';
      return { providerId: row.id, state, errorClass: row.errorClass };
    },

    takeNumber: (_order, isFree) => claimLocalNumber(isFree),

    async fetchMedia(source, { maxBytes }) {
      const stored = await db.selectFrom('dev.media').select('content').where('id', '=', source).executeTakeFirst();
      if (!stored) throw new MediaRefused('unavailable');
      if (stored.content.length > maxBytes) throw new MediaRefused('too-large');
      return stored.content;
    },

    readCallback({ headers, rawBody }) {
      const signature = headers[signatureHeader];
      if (!isSigned(env.secrets.webhook, typeof signature === 'string' ? signature : undefined, rawBody, now())) {
        throw new SmsSignatureInvalid();
      }
      return parse(rawBody);
    },
  };
}

/** Keeps a file that a phone of the demo sends, as a carrier does; returns where it is. */
export async function keepMedia({ db, id, now }: LocalServices, content: Buffer): Promise<string> {
  const source = id();
  await db.insertInto('dev.media').values({ id: source, content, at: now() }).execute();
  return source;
}

function parse(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return null;
  }
}

/** An answer that never comes; only the caller's timeout ends it. */
function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = () => reject(new Error('the carrier did not answer in time'));
    if (signal?.aborted) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
