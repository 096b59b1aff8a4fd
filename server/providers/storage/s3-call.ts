import { createHash } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Settings } from './s3-settings.ts';

/** The store refused or did not answer. Its message is dropped, because it may quote what it received. */
export class S3Refused extends Error {
  override readonly name = 'S3Refused';
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

/** One call, without a retry. Returns the store's successful answer, unread. */
export type S3Call = (request: S3Request) => Promise<IncomingMessage>;

/** Calls to one bucket over kept connections, each signed (AWS Signature 4). A connection may be silent for `silenceMs`. */
export function signedCalls(settings: S3Settings, now: () => Date, silenceMs: number): S3Call {
  const address = addressOf(settings);
  const { request, Agent } = settings.endpoint.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const sign = signer(settings, now);

  function sendCall(
    url: URL,
    method: string,
    headers: Record<string, string>,
    body?: S3Body,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const req = request(url, {
        method,
        agent,
        headers: { ...headers, ...(body && { 'content-length': body.bytes }) },
        timeout: silenceMs,
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
  }

  return async ({ method, key, query, headers = {}, body }) => {
    const { url, headers: signed } = await sign({
      method,
      url: query ? `${address}/?${query}` : `${address}/${settings.prefix}${key}`,
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? nothing },
    });
    const answer = await sendCall(url, method, Object.fromEntries(signed), body);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return answer;
    throw new S3Refused(codeIn(await textOf(answer, silenceMs)) ?? codes[status] ?? `Status${status}`, status);
  };
}

function signer({ accessKeyId, secretAccessKey, region }: S3Settings, now: () => Date) {
  const keys = new Map<string, ArrayBuffer>();
  return async (call: { method: string; url: string; headers: Record<string, string> }) => {
    const { AwsV4Signer } = await import('aws4fetch');
    const datetime = now()
      .toISOString()
      .replace(/[:-]|\.\d{3}/g, '');
    return new AwsV4Signer({
      ...call,
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache: keys,
      datetime,
    }).sign();
  };
}

/** The bucket's URL, without a trailing slash. */
function addressOf({ endpoint, addressing, bucket }: S3Settings): string {
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

const codeIn = (text: string) => /<Code>(\w{1,80})<\/Code>/.exec(text)?.[1];

async function textOf(answer: IncomingMessage, silenceMs: number): Promise<string> {
  let text = '';
  answer.setTimeout(silenceMs, () => answer.destroy());
  try {
    for await (const part of answer.setEncoding('utf8')) text = (text + String(part)).slice(0, 20_000);
  } catch {
    // The status is enough.
  }
  return text;
}
