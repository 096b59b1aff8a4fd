import { setTimeout as pause } from 'node:timers/promises';
import type { TwilioSettings } from './twilio-settings.ts';

/** Twilio refused, so it did nothing. Its message is dropped, because it quotes phone numbers. */
export class TwilioRefused extends Error {
  override readonly name = 'TwilioRefused';
  readonly status: number;
  /** Twilio's error code; null if it gave none. */
  readonly code: number | null;
  constructor(status: number, code: number | null) {
    super(`Twilio refused: ${status}, code ${code ?? 'none'}`);
    this.status = status;
    this.code = code;
  }
}

/** There was no connection, so Twilio has not seen the call. */
export class TwilioAway extends Error {
  override readonly name = 'TwilioAway';
}

export interface TwilioPace {
  /** Twilio's time to answer one call. */
  waitMs: number;
  /** Pauses before the retries of a call that Twilio definitely did not accept. */
  backoffMs: readonly number[];
}

const usualPace: TwilioPace = { waitMs: 15_000, backoffMs: [250, 1_000] };

interface Call {
  base: 'apiUrl' | 'messagingUrl';
  /** Path and query. */
  path: string;
  form?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/**
 * Calls Twilio's API with plain fetch: nine calls and flat forms need no SDK (decision 0039). After TwilioRefused and TwilioAway nothing
 * was done; after any other error of a POST that is unknown.
 */
export function twilioCalls(settings: TwilioSettings, pace: Partial<TwilioPace> = {}) {
  const { waitMs, backoffMs } = { ...usualPace, ...pace };
  const authorization = authorizationOf(settings);

  async function once(method: 'GET' | 'POST', { base, path, form, signal }: Call): Promise<unknown> {
    const deadline = AbortSignal.timeout(waitMs);
    const answer = await fetch(`${settings[base]}${path}`, {
      method,
      headers: { authorization, accept: 'application/json' },
      ...(form && { body: new URLSearchParams(form) }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    }).catch((error: unknown) => {
      throw neverConnected(error) ? new TwilioAway('no connection to Twilio') : unknownFate(error);
    });
    const text = await answer.text().catch((error: unknown) => {
      throw unknownFate(error);
    });
    if (answer.ok) return readJson(text, answer.status);
    // 408 and 425 come from proxies in between, which may have passed the call on.
    if (answer.status >= 500 || answer.status < 400 || [408, 425].includes(answer.status))
      throw new Error(`Twilio answered ${answer.status}`);
    throw new TwilioRefused(answer.status, codeOf(text));
  }

  async function patiently(method: 'GET' | 'POST', call: Call): Promise<unknown> {
    for (let tries = 0; ; tries++) {
      try {
        return await once(method, call);
      } catch (error) {
        const wait = backoffMs[tries];
        const mayRepeat = method === 'GET' ? !isFinal(error) : wasSurelyNotTaken(error);
        if (wait === undefined || !mayRepeat || call.signal?.aborted) throw error;
        await pause(wait, undefined, call.signal && { signal: call.signal }).catch(() => {
          throw error;
        });
      }
    }
  }

  return {
    get: (call: Omit<Call, 'form'>) => patiently('GET', call),
    post: (call: Call) => patiently('POST', call),
  };
}
export type TwilioCalls = ReturnType<typeof twilioCalls>;

/** The header with our login. */
export const authorizationOf = ({ login: { user, password } }: TwilioSettings) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Too many calls, or unreachable: the call can be retried. */
export const wasSurelyNotTaken = (error: unknown) =>
  error instanceof TwilioAway || (error instanceof TwilioRefused && error.status === 429);

const isFinal = (error: unknown) => error instanceof TwilioRefused && error.status !== 429;

const connectCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** Whether the connection itself failed. fetch hides the reason in `cause`, which holds one error per address if there are several. */
function neverConnected(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string; syscall?: string; errors?: { code?: string }[] } };
  if (!cause) return false;
  if (cause.errors?.length) return cause.errors.every(({ code }) => connectCodes.has(code ?? ''));
  return connectCodes.has(cause.code ?? '') || (cause.code === 'EHOSTUNREACH' && cause.syscall === 'connect');
}

/** Reports only the code: an error from fetch can contain the whole call. */
function unknownFate(error: unknown): Error {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return new Error(`no answer from Twilio: ${cause?.code ?? name ?? 'no code'}`);
}

function readJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`Twilio answered ${status} with something that is not JSON`);
  }
}

function codeOf(text: string): number | null {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    return Number.isInteger(code) ? (code as number) : null;
  } catch {
    return null;
  }
}
