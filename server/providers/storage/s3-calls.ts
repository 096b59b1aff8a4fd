import { createHash } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Settings } from './s3-settings.ts';

/** The store refused or did not answer. Its message is dropped, because it may quote what it received. */
export class S3Refused extends Error {
  override readonly name = 'StoreRefused';
  /** The store's code (`AccessDenied`, `SlowDown`), or the connection's (`ECONNRESET`, `Silence`). */
  readonly code: string;
  /** 0 if there was no answer. */
  readonly status: number;
  /** This try, or an earlier one, may have been carried out all the same. */
  mayBeDone: boolean;
  constructor(code: string, status = 0) {
    super(`the file store refused: ${code}`);
    this.code = code;
    this.status = status;
    this.mayBeDone = status === 0 || (status >= 500 && status !== 501);
  }
  /** Whether a retry may succeed. */
  get passes(): boolean {
    return this.mayBeDone || this.status === 429 || passing.has(this.code);
  }
}

const passing = new Set([
  'RequestTimeout',
  'BadDigest',
  'XAmzContentSHA256Mismatch',
  'ConditionalRequestConflict',
  'OperationAborted',
]);

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

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  key: string;
  /** The query string. */
  query?: URLSearchParams;
  headers?: Record<string, string>;
  body?: S3Body;
}

/** The body; it can be read again for a retry. */
export interface S3Body {
  bytes: number;
  /** Hex; the store refuses a body with another hash. */
  sha256: string;
  open(): Buffer | Readable;
}

const nothing = createHash('sha256').digest('hex');

/** Signed calls (AWS Signature 4) to one bucket. */
export function openBucket(settings: S3Settings, now: () => Date, pace: Pace) {
  const { accessKeyId, secretAccessKey, region } = settings;
  const address = addressOf(settings);
  const { request, Agent } = settings.endpoint.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const keys = new Map<string, ArrayBuffer>();

  async function sign(given: { method: string; url: string; headers?: Record<string, string>; signQuery?: boolean }) {
    const { AwsV4Signer } = await import('aws4fetch');
    const datetime = now()
      .toISOString()
      .replace(/[:-]|\.\d{3}/g, '');
    return new AwsV4Signer({
      ...given,
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache: keys,
      datetime,
    }).sign();
  }

  async function once({ method, key, query, headers = {}, body }: S3Request): Promise<IncomingMessage> {
    const { url, headers: signed } = await sign({
      method,
      url: query ? `${address}/?${query}` : `${address}/${settings.prefix}${key}`,
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? nothing },
    });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const req = request(url, {
        method,
        agent,
        headers: { ...Object.fromEntries(signed), ...(body && { 'content-length': body.bytes }) },
        timeout: pace.silenceMs,
      });
      req.once('timeout', () => req.destroy(new S3Refused('Silence')));
      req.on('error', (error: Error & { code?: string }) =>
        reject(error instanceof S3Refused ? error : new S3Refused(error.code ?? error.name)),
      );
      req.once('response', (res) => {
        req.setTimeout(0);
        resolve(res);
      });
      const content = body?.open();
      if (!content || Buffer.isBuffer(content)) req.end(content);
      else pipeline(content, req).catch((error: Error) => req.destroy(error));
    });
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    throw new S3Refused(codeIn(await wordsOf(answer, pace.silenceMs)) ?? codes[status] ?? `Status${status}`, status);
  }

  /** Returns the store's successful answer, unread; retries transient failures. Throws StoreRefused. */
  async function ask(asked: S3Request): Promise<IncomingMessage> {
    const began = performance.now();
    let mayBeDone = false;
    for (let tried = 1; ; tried++) {
      try {
        return await once(asked);
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
  }

  async function readPage(query: URLSearchParams): Promise<string> {
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

  return {
    ask,
    /** The keys below our prefix, fetched in pages of a thousand. */
    async *list(): AsyncGenerator<string> {
      let next: string | undefined;
      do {
        const query = new URLSearchParams({
          'list-type': '2',
          ...(settings.prefix && { prefix: settings.prefix }),
          ...(next !== undefined && { 'continuation-token': next }),
        });
        const page = await readPage(query);
        for (const [, key = ''] of page.matchAll(/<Key>([^<]*)<\/Key>/g))
          yield unescapeXml(key).slice(settings.prefix.length);
        const token = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(page)?.[1];
        next = token === undefined ? undefined : unescapeXml(token);
      } while (next !== undefined);
    },
  };
}
export type Bucket = ReturnType<typeof openBucket>;

/** The bucket's URL, without a trailing slash. */
export function addressOf({ endpoint, addressing, bucket }: S3Settings): string {
  if (addressing === 'path') return `${endpoint}/${bucket}`;
  const url = new URL(endpoint);
  return `${url.protocol}//${bucket}.${url.host}`;
}

/** The error codes of answers without a body, such as to HEAD. */
const codes: Record<number, string> = {
  403: 'AccessDenied',
  404: 'NoSuchKey',
  412: 'PreconditionFailed',
  501: 'NotImplemented',
  503: 'SlowDown',
};

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' };
const unescapeXml = (escaped: string) =>
  escaped.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity);

const codeIn = (words: string) => /<Code>(\w{1,80})<\/Code>/.exec(words)?.[1];

async function wordsOf(answer: IncomingMessage, silenceMs: number): Promise<string> {
  let words = '';
  answer.setTimeout(silenceMs, () => answer.destroy());
  try {
    for await (const part of answer.setEncoding('utf8')) words = (words + String(part)).slice(0, 20_000);
  } catch {
    // The status is enough.
  }
  return words;
}
