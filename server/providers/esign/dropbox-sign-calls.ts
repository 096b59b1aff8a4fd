import type { DropboxSignSettings } from './dropbox-sign-settings.ts';
import { EsignRefused, type EsignReason } from './port.ts';

interface Ask {
  body?: FormData;
  signal?: AbortSignal | undefined;
}

const patienceMs = 20_000;
const largestAnswer = 40_000_000;

/** The vendor's HTTP statuses as our reasons; any other status counts by its class. */
const reasons: Record<number, EsignReason> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'payment',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
  422: 'invalid',
  429: 'rate',
};

/**
 * Calls the vendor's API with plain fetch: five calls and one form need no SDK (`@dropbox/sign` brings axios and three hundred model
 * classes, and returns errors in two shapes). No error contains anything of the vendor's answer: it can name a signer.
 */
export function dropboxSignCalls({ apiKey, url }: DropboxSignSettings, waitMs: number = patienceMs) {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;

  async function once(method: 'GET' | 'POST', path: string, { body, signal }: Ask): Promise<Buffer> {
    const deadline = AbortSignal.timeout(waitMs);
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization, accept: 'application/json, application/pdf' },
      ...(body && { body }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const bytes = await answer.arrayBuffer();
    if (!answer.ok) throw new EsignRefused(reasonOf(answer.status), retryAfter(answer));
    if (bytes.byteLength > largestAnswer) throw new EsignRefused('other');
    return Buffer.from(bytes);
  }

  return {
    /** Reads, with one retry if the connection or the provider fails. Throws only EsignRefused. */
    get: (path: string) =>
      once('GET', path, {})
        .catch((error: unknown) => (isRefused(error) ? Promise.reject(error) : once('GET', path, {})))
        .catch(refuse),
    /** Changes something, without a retry: after `unreachable` it may have happened. Throws only EsignRefused. */
    post: (path: string, ask: Ask = {}) => once('POST', path, ask).catch(refuse),
  };
}

const isRefused = (error: unknown): error is EsignRefused =>
  error instanceof EsignRefused && error.reason !== 'unreachable';

/** No answer, or half of one: whether the request took effect is unknown. */
function refuse(error: unknown): never {
  throw error instanceof EsignRefused ? error : new EsignRefused('unreachable');
}

function reasonOf(status: number): EsignReason {
  return reasons[status] ?? (status >= 500 ? 'unreachable' : 'other');
}

/** The vendor's wait in seconds; its own header holds the time in epoch seconds. */
function retryAfter({ status, headers }: Response): number | undefined {
  if (status !== 429) return undefined;
  const after = Number(headers.get('retry-after') ?? '');
  const reset = Number(headers.get('x-ratelimit-reset') ?? '');
  const seconds = after > 0 ? after : reset > 0 ? Math.ceil(reset - Date.now() / 1000) : 60;
  return Math.min(Math.max(seconds, 1), 3600);
}
