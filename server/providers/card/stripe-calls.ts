import type { Stripe } from 'stripe';
import type * as z from 'zod/mini';
import type { Services } from '#server/context.ts';
import { CardRefused, type CardReason } from './port.ts';
import { parse } from './stripe-shapes.ts';
import type { StripeSettings } from './stripe-settings.ts';

/** The version our calls and answers are written for; the account's own may be another. */
export const stripeVersion = '2026-10-28.endive';

/** How long one call may take, and how often it is sent again, with the same idempotency key. */
const usualPace = { waitMs: 20_000, retries: 1 };
export type Pace = typeof usualPace & Partial<Limits>;

/** How long a look and a change may take with all their calls. Together they end before the lease of an operation, which is 60 s. */
const usualLimits = { lookMs: 15_000, changeMs: 40_000 };
type Limits = typeof usualLimits;

/** The outcome is unknown: no answer, half of one, or one that another call with the same key still waits for. */
export class CardUnclear extends Error {
  override readonly name = 'CardUnclear';
}

/** Stripe's classes of errors that are a definite no. Nothing of their messages is kept: they can name a cardholder. */
const reasons: Record<string, CardReason> = {
  StripeCardError: 'declined',
  StripeRateLimitError: 'rate',
  StripeInvalidRequestError: 'invalid',
  StripeIdempotencyError: 'conflict',
  StripeAuthenticationError: 'unauthorized',
  StripePermissionError: 'unauthorized',
};
/** Only the operator can mend these: a key that is not accepted, or two calls with one key. */
const alerts = new Set(['StripeIdempotencyError', 'StripeAuthenticationError', 'StripePermissionError']);
const quietMs = 60_000;

export interface StripeCalls {
  /** Reads; throws only CardRefused. */
  read<T>(schema: z.ZodMiniType<T>, call: (stripe: Stripe) => Promise<unknown>): Promise<T>;
  /** Changes something, once for each key. Throws CardRefused if that surely did not happen, otherwise CardUnclear. */
  change<T>(
    idempotencyKey: string,
    schema: z.ZodMiniType<T>,
    call: (stripe: Stripe, options: { idempotencyKey: string }) => Promise<unknown>,
  ): Promise<T>;
}

/** Calls Stripe by its own SDK, which is loaded with the first call. */
export function stripeCalls(
  { log }: Pick<Services, 'log'>,
  settings: StripeSettings,
  pace: Pace = usualPace,
): StripeCalls {
  let opened: Promise<Stripe> | undefined;
  let alertedAt = 0;

  async function open(): Promise<Stripe> {
    const { Stripe } = await import('stripe');
    const { protocol, hostname, port } = new URL(settings.url);
    return new Stripe(settings.secretKey, {
      apiVersion: stripeVersion,
      host: hostname,
      port: port || (protocol === 'http:' ? 80 : 443),
      protocol: protocol === 'http:' ? 'http' : 'https',
      timeout: pace.waitMs,
      maxNetworkRetries: pace.retries,
      telemetry: false,
    });
  }

  /** The reason of a definite no; null if nobody can tell. */
  function reasonOf(error: unknown): CardReason | null {
    const { type, code, statusCode } = (error ?? {}) as { type?: string; code?: string; statusCode?: number };
    if (type !== undefined && alerts.has(type) && Date.now() - alertedAt > quietMs) {
      alertedAt = Date.now();
      log.error({ alert: 'card', status: statusCode, code: type }, 'Stripe does not accept our calls');
    }
    if (type === 'StripeInvalidRequestError' && code === 'resource_missing') return 'not-found';
    if (isKeptFailure(error)) return 'conflict';
    return (type === undefined ? undefined : reasons[type]) ?? null;
  }

  return {
    async read(schema, call) {
      try {
        return parse(schema, await call(await (opened ??= open())));
      } catch (error) {
        throw new CardRefused(reasonOf(error) ?? 'unreachable');
      }
    },
    async change(idempotencyKey, schema, call) {
      try {
        return parse(schema, await call(await (opened ??= open()), { idempotencyKey }));
      } catch (error) {
        const reason = reasonOf(error);
        throw reason === null ? new CardUnclear() : new CardRefused(reason);
      }
    },
  };
}

/** The calls of one look: those after its time are not made. */
export const forLook = (calls: StripeCalls, { lookMs = usualLimits.lookMs }: Partial<Limits> = {}) =>
  withinTime(calls, lookMs, () => new CardRefused('unreachable'));

/** The calls of one change. Another process goes on with it after its lease, so that none may be made then. */
export const forChange = (calls: StripeCalls, { changeMs = usualLimits.changeMs }: Partial<Limits> = {}) =>
  withinTime(calls, changeMs, () => new CardUnclear());

function withinTime(calls: StripeCalls, ms: number, late: () => Error): StripeCalls {
  const end = AbortSignal.timeout(ms);
  const over = new Promise<never>((_never, reject) => end.addEventListener('abort', () => reject(late())));
  over.catch(() => undefined);
  const inTime = <T>(call: () => Promise<T>) => (end.aborted ? over : Promise.race([call(), over]));
  return {
    read: (...call) => inTime(() => calls.read(...call)),
    change: (...call) => inTime(() => calls.change(...call)),
  };
}

/** Refused for now: it says nothing about what was asked for. */
export const isForNow = (error: unknown): boolean =>
  error instanceof CardRefused && ['rate', 'unauthorized', 'unreachable', 'other'].includes(error.reason);

/** Goes on with a change of which a part is made: a refusal for now leaves it unclear, so that it is repeated to its end. */
export async function goOn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isForNow(error) ? new CardUnclear() : error;
  }
}

/**
 * Stripe keeps even its own failure under the key for a day, so this key will never lead to anything else. Whoever presses again looks first at
 * what is there: a change that did happen is not made twice.
 */
function isKeptFailure(error: unknown): boolean {
  const { statusCode = 0, headers } = (error ?? {}) as { statusCode?: number; headers?: Record<string, string> };
  return statusCode >= 500 && headers?.['idempotent-replayed'] === 'true';
}
