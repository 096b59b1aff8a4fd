import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The only allowed caller, and the store's own address. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

/** Why a call is refused, with S3's code. */
export interface SignatureProblem {
  status: number;
  code: string;
}

const skewMs = 15 * 60_000;
const weekSeconds = 604_800;

/** Verifies AWS Signature 4 by its specification, in headers or in the URL; null if the call is signed by the caller and in time. */
export function findSignatureProblem(req: IncomingMessage, caller: S3Credentials, now: Date): SignatureProblem | null {
  const [path = '/', search = ''] = (req.url ?? '/').split('?', 2);
  const pairs = search === '' ? [] : search.split('&').map((pair) => pair.split('=', 2).map(decodeURIComponent));
  const query = new Map(pairs.map(([name = '', value = '']) => [name, value]));
  const signed = query.has('X-Amz-Algorithm') ? inAddress(query) : inHeaders(req);
  if ('code' in signed) return signed;

  const [accessKeyId, day, region, service, end] = signed.credential.split('/');
  const date = timeOf(signed.date);
  const wrongScope = region !== caller.region || service !== 's3' || end !== 'aws4_request';
  if (accessKeyId !== caller.accessKeyId) return no(403, 'InvalidAccessKeyId');
  if (wrongScope || !date || day !== signed.date.slice(0, 8)) return no(400, 'AuthorizationHeaderMalformed');
  if (date.getTime() - now.getTime() > skewMs) return no(403, 'RequestTimeTooSkewed');
  if (signed.seconds === null && now.getTime() - date.getTime() > skewMs) return no(403, 'RequestTimeTooSkewed');
  if (signed.seconds !== null && now.getTime() > date.getTime() + signed.seconds * 1000) return no(403, 'AccessDenied');

  const names = signed.headers.split(';');
  const mustBeSigned = ['host', ...Object.keys(req.headers).filter((name) => name.startsWith('x-amz-'))];
  if (!mustBeSigned.every((name) => names.includes(name))) return no(403, 'AccessDenied');

  const rest = pairs.filter(([name]) => name !== 'X-Amz-Signature').map((pair) => pair.map(encode));
  const canonical = [
    req.method,
    path.split('/').map(decodeURIComponent).map(encode).join('/'),
    rest
      .toSorted(([a = '', x = ''], [b = '', y = '']) => compare(a, b) || compare(x, y))
      .map(([name, value = '']) => `${name}=${value}`)
      .join('&'),
    ...names.map(
      (name) =>
        `${name}:${String(req.headers[name] ?? '')
          .trim()
          .replace(/\s+/g, ' ')}`,
    ),
    '',
    signed.headers,
    signed.payload,
  ].join('\n');
  const scope = [day, region, service, end].join('/');
  const toSign = ['AWS4-HMAC-SHA256', signed.date, scope, sha256(canonical)].join('\n');
  const key = [day, region, service, end].reduce<Buffer>(
    (before, part) => hmac(before, part ?? ''),
    Buffer.from(`AWS4${caller.secretAccessKey}`),
  );
  const right = hmac(key, toSign);
  const given = Buffer.from(signed.signature, 'hex');
  const isRight = given.length === right.length && timingSafeEqual(given, right);
  return isRight ? null : no(403, 'SignatureDoesNotMatch');
}

interface SignedCall {
  credential: string;
  date: string;
  headers: string;
  signature: string;
  payload: string;
  /** How long a presigned URL is valid; null for a call signed in its headers. */
  seconds: number | null;
}

function inHeaders({ headers }: IncomingMessage): SignedCall | SignatureProblem {
  const { authorization } = headers;
  if (!authorization) return no(403, 'AccessDenied');
  const found = /^AWS4-HMAC-SHA256 Credential=([^,\s]+), ?SignedHeaders=([^,\s]+), ?Signature=([0-9a-f]{64})$/.exec(
    authorization,
  );
  const { 'x-amz-date': date, 'x-amz-content-sha256': payload } = headers as Record<string, string | undefined>;
  if (!found || !date) return no(400, 'AuthorizationHeaderMalformed');
  if (!payload) return no(400, 'InvalidRequest');
  const [, credential = '', names = '', signature = ''] = found;
  return { credential, date, headers: names, signature, payload, seconds: null };
}

function inAddress(query: Map<string, string>): SignedCall | SignatureProblem {
  const part = (name: string) => query.get(`X-Amz-${name}`) ?? '';
  const seconds = Number(part('Expires'));
  const isWhole = Number.isInteger(seconds) && seconds >= 1 && seconds <= weekSeconds;
  if (part('Algorithm') !== 'AWS4-HMAC-SHA256' || !isWhole) return no(400, 'AuthorizationQueryParametersError');
  const [credential, date, headers, signature] = ['Credential', 'Date', 'SignedHeaders', 'Signature'].map(part);
  return {
    credential: credential ?? '',
    date: date ?? '',
    headers: headers ?? '',
    signature: signature ?? '',
    payload: 'UNSIGNED-PAYLOAD',
    seconds,
  };
}

function timeOf(date: string): Date | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

const no = (status: number, code: string): SignatureProblem => ({ status, code });
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
