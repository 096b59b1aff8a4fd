import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3Refused, signedCalls, type S3Call, type S3Request } from './s3-call.ts';
import type { S3Settings } from './s3-settings.ts';

/** The time limits of calls to a store. */
export interface Pace {
  tries: number;
  /** The pause before the first retry; doubles each time. */
  waitMs: number;
  /** How long the connection may be silent. */
  silenceMs: number;
  /** No try starts later than this, because somebody is waiting. */
  giveUpMs: number;
}
export const usualPace: Pace = { tries: 6, waitMs: 100, silenceMs: 10_000, giveUpMs: 15_000 };

/** Calls to one bucket, retried within the pace's limits. */
export function openBucket(settings: S3Settings, now: () => Date, pace: Pace) {
  const ask = withRetries(signedCalls(settings, now, pace.silenceMs), pace);
  return { ask, list: () => listKeys(ask, settings.prefix, pace) };
}
export type Bucket = ReturnType<typeof openBucket>;

/** Returns the store's successful answer, unread; retries transient failures. Throws S3Refused. */
function withRetries(call: S3Call, pace: Pace): S3Call {
  return async (request: S3Request): Promise<IncomingMessage> => {
    const began = performance.now();
    let mayBeDone = false;
    for (let tried = 1; ; tried++) {
      try {
        return await call(request);
      } catch (error) {
        const waitMs = pace.waitMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
        const isLast = tried >= pace.tries || performance.now() - began + waitMs > pace.giveUpMs;
        if (!(error instanceof S3Refused)) throw error;
        const isOver = isLast || !error.passes;
        error.mayBeDone = mayBeDone ||= error.mayBeDone;
        if (isOver) throw error;
        await sleep(waitMs);
      }
    }
  };
}

/** The keys below our prefix, fetched in pages of a thousand. */
async function* listKeys(ask: S3Call, prefix: string, pace: Pace): AsyncGenerator<string> {
  let next: string | undefined;
  do {
    const query = new URLSearchParams({
      'list-type': '2',
      ...(prefix && { prefix }),
      ...(next !== undefined && { 'continuation-token': next }),
    });
    const page = await readPage(ask, query, pace);
    for (const [, key = ''] of page.matchAll(/<Key>([^<]*)<\/Key>/g)) yield unescapeXml(key).slice(prefix.length);
    const token = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(page)?.[1];
    next = token === undefined ? undefined : unescapeXml(token);
  } while (next !== undefined);
}

async function readPage(ask: S3Call, query: URLSearchParams, pace: Pace): Promise<string> {
  for (let tried = 1; ; tried++) {
    const answer = await ask({ method: 'GET', key: '', query });
    answer.setTimeout(pace.silenceMs, () => answer.destroy(new S3Refused('Silence')));
    try {
      return await text(answer);
    } catch (error) {
      if (tried >= pace.tries) throw new S3Refused((error as { code?: string }).code ?? 'Silence');
      await sleep(pace.waitMs * 2 ** (tried - 1));
    }
  }
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' };
const unescapeXml = (escaped: string) =>
  escaped.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity);
