import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findSignatureProblem, type S3Credentials } from './s3-signature.ts';

/** How a failing store answers the next call of a method. */
export type S3Fault =
  /** Refuses with one of S3's codes. */
  | { status: number; code: string }
  /** Cuts the connection before reading anything, in the middle of the body, or after carrying out the call. */
  | 'cut'
  | 'cut halfway'
  | 'cut after'
  /** Reads and never answers. */
  | 'silence'
  /** Answers, and cuts the connection or hangs in the middle. */
  | 'half an answer'
  | 'half an answer, then silence'
  /** Corrupts one byte of what it receives. */
  | 'wrong byte';

/** A stored file. */
export interface StoredObject {
  content: Buffer;
  headers: Record<string, string>;
  etag: string;
  at: Date;
}

export interface S3Call {
  method: string;
  key: string;
  headers: IncomingMessage['headers'];
  /** 0: no answer. */
  status: number;
}

const keptHeader = /^(content-type|x-amz-meta-.*|x-amz-server-side-encryption.*)$/;

/**
 * The part of S3 a bucket needs, on loopback: PUT, GET, HEAD, DELETE and listing, in one bucket, by path or by host. It accepts only calls
 * that are signed correctly, in time and complete, and can be made to fail.
 */
export async function openS3Server({
  now = () => new Date(),
  bucket = 'anteroom-files',
  knowsConditions = true,
  pageSize = 1_000,
}: { now?: () => Date; bucket?: string; knowsConditions?: boolean; pageSize?: number } = {}) {
  const caller: S3Credentials = { accessKeyId: 'AKIDTEST', secretAccessKey: 'test/secret+key', region: 'us-east-2' };
  const objects = new Map<string, StoredObject>();
  const calls: S3Call[] = [];
  const troubles = new Map<string, S3Fault[]>();

  const server = createServer((req, res) => {
    const { socket } = req; // a cut request no longer has it
    const cut = () => void socket.destroy();
    void handle(req, res, cut).catch(cut);
  });

  async function handle(req: IncomingMessage, res: ServerResponse, cut: () => void): Promise<void> {
    const { method = '', headers } = req;
    const { key, isOurBucket } = addressOf(req, bucket);
    const call: S3Call = { method, key, headers, status: 0 };
    calls.push(call);
    const answer = (status: number, about: Record<string, string | number> = {}, body?: Buffer | string) => {
      call.status = status;
      res.writeHead(status, { 'x-amz-request-id': String(calls.length), ...about });
      res.end(method === 'HEAD' ? undefined : body);
    };
    const refuse = ({ status, code }: { status: number; code: string }) =>
      answer(
        status,
        { 'content-type': 'application/xml' },
        `<Error><Code>${code}</Code><Message>No.</Message></Error>`,
      );

    const trouble = troubles.get(method)?.shift();
    if (trouble === 'cut') return cut();
    const content = await bodyOf(req, trouble === 'cut halfway');
    if (content === null) return cut();
    if (trouble === 'silence') return;
    if (typeof trouble === 'object') return refuse(trouble);
    const stranger = findSignatureProblem(req, caller, now());
    if (stranger) return refuse(stranger);
    if (!isOurBucket) return refuse({ status: 404, code: 'NoSuchBucket' });
    if (method === 'PUT') {
      if (trouble === 'wrong byte') content[0] = (content[0] ?? 0) ^ 1;
      const wrong = mayNotPut(headers, content, objects.has(key), knowsConditions);
      if (wrong) return refuse(wrong);
      const etag = store(key, headers, content);
      if (trouble === 'cut after') return cut();
      return answer(200, { etag });
    }
    const search = new URL(req.url ?? '/', 'http://localhost').searchParams;
    if (method === 'GET' && key === '' && search.get('list-type') === '2')
      return answer(200, { 'content-type': 'application/xml' }, listOf([...objects.keys()], search, pageSize));
    if (method === 'DELETE') {
      objects.delete(key);
      return answer(204);
    }
    const object = objects.get(key);
    if (!object || (method !== 'GET' && method !== 'HEAD')) return refuse({ status: 404, code: 'NoSuchKey' });
    if ('if-match' in headers && headers['if-match'] !== object.etag)
      return refuse({ status: 412, code: 'PreconditionFailed' });
    return sendObject(req, object, answer, trouble, cut);
  }

  function store(key: string, headers: IncomingMessage['headers'], content: Buffer): string {
    const about = Object.entries(headers).filter(([name]) => keptHeader.test(name)) as [string, string][];
    const etag = `"${createHash('md5').update(content).digest('hex')}"`;
    objects.set(key, { content, headers: Object.fromEntries(about), etag, at: now() });
    return etag;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    bucket,
    caller,
    objects,
    calls,
    /** The environment of an app that stores its files here. */
    env: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_REGION: caller.region,
      S3_ACCESS_KEY_ID: caller.accessKeyId,
      S3_SECRET_ACCESS_KEY: caller.secretAccessKey,
    },
    /** Scripts failures of the next calls of a method, in order. */
    trouble: (method: 'PUT' | 'GET' | 'HEAD' | 'DELETE', ...next: S3Fault[]) => void troubles.set(method, next),
    forget() {
      calls.length = 0;
      troubles.clear();
      objects.clear();
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
export type S3Server = Awaited<ReturnType<typeof openS3Server>>;

/** The key that a call names, by path or by host. */
function addressOf({ url = '/', headers }: IncomingMessage, bucket: string): { key: string; isOurBucket: boolean } {
  const path = decodeURIComponent(url.split('?')[0] ?? '/').slice(1);
  if (headers.host?.startsWith(`${bucket}.`)) return { key: path, isOurBucket: true };
  const [first, ...rest] = path.split('/');
  return { key: rest.join('/'), isOurBucket: first === bucket };
}

/** Answers with a file or the rest of it, or fails in the middle. */
function sendObject(
  req: IncomingMessage,
  { content, headers, etag, at }: StoredObject,
  answer: (status: number, about: Record<string, string | number>, body: Buffer) => void,
  trouble: S3Fault | undefined,
  cut: () => void,
): void {
  const from = Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? '')?.[1] ?? 0);
  const sent = content.subarray(from);
  const search = new URL(req.url ?? '/', 'http://localhost').searchParams;
  const asked = ['content-type', 'content-disposition', 'cache-control'].map((name) => [
    name,
    search.get(`response-${name}`),
  ]);
  const about = {
    ...headers,
    ...(Object.fromEntries(asked.filter(([, value]) => value)) as Record<string, string>),
    etag,
    'last-modified': at.toUTCString(),
    'content-length': sent.length,
    ...(req.headers.range && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
  };
  const isHalf = typeof trouble === 'string' && trouble.startsWith('half');
  answer(req.headers.range ? 206 : 200, about, isHalf ? sent.subarray(0, Math.ceil(sent.length / 2)) : sent);
  if (trouble === 'half an answer') setTimeout(cut, 10);
}

/** The received body; null if the connection was cut or has to be cut in the middle of it. */
async function bodyOf(req: IncomingMessage, onlyHalf: boolean): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  try {
    for await (const part of req) {
      parts.push(part as Buffer);
      if (onlyHalf) return null;
    }
  } catch {
    return null;
  }
  return onlyHalf ? null : Buffer.concat(parts);
}

/** One page of ListObjectsV2. Its token contains a character that XML escapes. */
function listOf(keys: string[], search: URLSearchParams, pageSize: number): string {
  const after = search.get('continuation-token')?.slice('&after='.length) ?? '';
  const left = keys.filter((key) => key.startsWith(search.get('prefix') ?? '') && key > after).sort();
  const page = left.slice(0, pageSize);
  const token =
    left.length > pageSize ? `<NextContinuationToken>&amp;after=${page.at(-1)}</NextContinuationToken>` : '';
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  return `<?xml version="1.0"?><ListBucketResult>${contents}${token}</ListBucketResult>`;
}

function mayNotPut(
  headers: IncomingMessage['headers'],
  content: Buffer,
  isTaken: boolean,
  knowsConditions: boolean,
): { status: number; code: string } | null {
  if (headers['content-length'] === undefined) return { status: 411, code: 'MissingContentLength' };
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(content).digest('hex'))
    return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  const condition = headers['if-none-match'];
  if (condition !== undefined && !knowsConditions) return { status: 501, code: 'NotImplemented' };
  if (condition !== undefined && isTaken) return { status: 412, code: 'PreconditionFailed' };
  return null;
}
