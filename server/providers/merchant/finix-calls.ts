import type { FinixSettings } from './finix-settings.ts';
import { MerchantRefused, type MerchantReason } from './port.ts';

const patienceMs = 20_000;
const largestAnswer = 5_000_000;
export const finixVersion = '2022-02-01';

/** The vendor's HTTP statuses as our reasons; any other status counts by its class. */
const reasons: Record<number, MerchantReason> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'invalid',
  403: 'forbidden',
  404: 'not-found',
  406: 'invalid',
  422: 'invalid',
  429: 'rate',
};

/** Calls the vendor's API with plain fetch. No error contains anything of the vendor's answer: it can name an owner. */
export function finixCalls({ username, password, url }: FinixSettings, waitMs: number = patienceMs) {
  const headers = {
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    'finix-version': finixVersion,
    accept: 'application/json, application/hal+json',
  };

  async function once(path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${url}${path}`, {
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(waitMs),
    });
    const text = await answer.text();
    if (!answer.ok) throw new MerchantRefused(reasonOf(answer.status), retryAfter(answer));
    if (text.length > largestAnswer) throw new MerchantRefused('other');
    return JSON.parse(text);
  }

  return {
    /** Reads, with one retry if the connection or the provider fails. Throws only MerchantRefused. */
    get: (path: string) =>
      once(path)
        .catch((error: unknown) => (isRefused(error) ? Promise.reject(error) : once(path)))
        .catch(refuse),
    /** Creates something, without a retry: after `unreachable` it may have happened. Throws only MerchantRefused. */
    post: (path: string, body: unknown) => once(path, body).catch(refuse),
  };
}

const isRefused = (error: unknown): error is MerchantRefused =>
  error instanceof MerchantRefused && error.reason !== 'unreachable';

/** No answer, or half of one: whether the request took effect is unknown. */
function refuse(error: unknown): never {
  throw error instanceof MerchantRefused ? error : new MerchantRefused('unreachable');
}

function reasonOf(status: number): MerchantReason {
  return reasons[status] ?? (status >= 500 ? 'unreachable' : 'other');
}

function retryAfter({ status, headers }: Response): number | undefined {
  if (status !== 429) return undefined;
  const after = Number(headers.get('retry-after') ?? '');
  return Math.min(Math.max(after > 0 ? after : 60, 1), 3600);
}
