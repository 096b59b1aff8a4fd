import * as z from 'zod/mini';
import { finixVersion } from '#server/providers/merchant/finix-calls.ts';
import type { FinixSettings } from '#server/providers/merchant/finix-settings.ts';

const patienceMs = 20_000;
const largestAnswer = 5_000_000;

const Errors = z.looseObject({
  _embedded: z.looseObject({
    errors: z.array(
      z.looseObject({
        code: z.nullish(z.string()),
        failure_code: z.nullish(z.string()),
        field: z.nullish(z.string()),
        message: z.nullish(z.string()),
      }),
    ),
  }),
});

/** Finix's answer says no. `code` is its own word for why, never its message: that can name a person. */
export class FinixNo extends Error {
  override readonly name = 'FinixNo';
  readonly status: number;
  readonly code: string;
  /** It has seen this idempotency id before. */
  readonly isRepeated: boolean;
  constructor(status: number, { code, isRepeated }: { code: string; isRepeated: boolean }) {
    super(`Finix refused: ${status} ${code}`);
    this.status = status;
    this.code = code;
    this.isRepeated = isRepeated;
  }
}

/** No answer, or half of one, or one that says nothing about the request. */
export class FinixSilent extends Error {
  override readonly name = 'FinixSilent';
}

export type FinixChargeCalls = ReturnType<typeof finixChargeCalls>;

/** Statuses after which the request surely changed nothing; after any other error nobody can tell. */
const definite = new Set([400, 401, 402, 403, 404, 405, 406, 415, 422, 429]);

/** Calls Finix by plain fetch, without a retry. Throws FinixNo or FinixSilent. */
export function finixChargeCalls({ username, password, url }: FinixSettings, waitMs: number = patienceMs) {
  const headers = {
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    'finix-version': finixVersion,
    accept: 'application/hal+json',
  };

  async function call<T>(
    schema: z.ZodMiniType<T>,
    path: string,
    { body, signal }: { body?: object; signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    const deadline = AbortSignal.timeout(waitMs);
    const { status, ok, text } = await fetch(`${url}${path}`, {
      headers: { ...headers, ...(body && { 'content-type': 'application/hal+json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    }).then(
      async (answer) => ({ status: answer.status, ok: answer.ok, text: await answer.text().catch(silent) }),
      silent,
    );
    if (!ok && definite.has(status)) throw refusalOf(status, text);
    // A conflict about an idempotency id: the operation is there.
    if (status === 409) throw new FinixNo(status, { code: 'CONFLICT', isRepeated: true });
    const read = ok && text.length <= largestAnswer ? z.safeParse(schema, parseJson(text)) : undefined;
    if (!read?.success) throw new FinixSilent();
    return read.data;
  }
  return { call };
}

const silent = () => {
  throw new FinixSilent();
};

function refusalOf(status: number, text: string): FinixNo {
  const read = z.safeParse(Errors, parseJson(text));
  const errors = read.success ? read.data._embedded.errors : [];
  const [first] = errors;
  const isRepeated = errors.some((one) => /idempoten/i.test(`${one.code} ${one.field} ${one.message}`));
  const word = first?.failure_code ?? first?.code ?? '';
  const code = /^[A-Z0-9_]{1,60}$/.test(word) ? word : `STATUS_${status}`;
  return new FinixNo(status, { code, isRepeated });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
