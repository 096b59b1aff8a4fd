import * as z from 'zod/mini';
import type { AthenaSettings } from './athena-settings.ts';

const patienceMs = 20_000;
const scope = 'athena/service/Athenanet.MDP.*';
/** A token is replaced this long before it ends. */
const earlyMs = 60_000;

const Token = z.looseObject({
  access_token: z.string(),
  expires_in: z.pipe(z.union([z.number(), z.string()]), z.transform(Number)),
});

/** athenahealth's answer says no: the call surely changed nothing. */
export class AthenaNo extends Error {
  override readonly name = 'AthenaNo';
  readonly status: number;
  constructor(status: number) {
    super(`athenahealth refused: ${status}`);
    this.status = status;
  }
}

/** No answer, or half of one, or one that says nothing about the call. */
export class AthenaSilent extends Error {
  override readonly name = 'AthenaSilent';
}

/** Statuses that are a definite no. After a timeout, a conflict or a failure of theirs nobody can tell. */
const definite = new Set([400, 401, 402, 403, 404, 405, 406, 413, 415, 422, 429]);

interface Ask {
  form?: Record<string, string>;
}

export type AthenaCalls = ReturnType<typeof athenaCalls>;

/** Calls athenahealth by plain fetch. No error contains anything of its answers: they can name a patient. */
export function athenaCalls({ clientId, clientSecret, url }: AthenaSettings, now: () => Date, waitMs = patienceMs) {
  let token: { text: string; until: number } | undefined;
  let opening: Promise<string> | undefined;

  async function once(path: string, authorization: string, { form }: Ask): Promise<unknown> {
    const { status, ok, text } = await fetch(`${url}${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { authorization, accept: 'application/json' },
      ...(form && { body: new URLSearchParams(form) }),
      redirect: 'error',
      signal: AbortSignal.timeout(waitMs),
    }).then(
      async (answer) => ({ status: answer.status, ok: answer.ok, text: await answer.text().catch(silent) }),
      silent,
    );
    if (!ok) throw definite.has(status) ? new AthenaNo(status) : new AthenaSilent();
    try {
      return JSON.parse(text);
    } catch {
      return silent();
    }
  }

  /** The current token; callers at once share one request for it. */
  async function currentToken(): Promise<string> {
    if (token && token.until > now().getTime()) return token.text;
    return (opening ??= newToken().finally(() => (opening = undefined)));
  }

  async function newToken(): Promise<string> {
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const read = z.safeParse(
      Token,
      await once('/oauth2/v1/token', basic, { form: { grant_type: 'client_credentials', scope } }),
    );
    if (!read.success) throw new AthenaSilent();
    const { access_token: text, expires_in: seconds } = read.data;
    token = { text, until: now().getTime() + seconds * 1000 - earlyMs };
    return text;
  }

  /**
   * One call; with a new token once more if the old one was refused, because then nothing happened. Throws AthenaNo or AthenaSilent: without
   * a new token it stays refused.
   */
  async function call(path: string, ask: Ask = {}): Promise<unknown> {
    const first = await currentToken();
    try {
      return await once(path, `Bearer ${first}`, ask);
    } catch (error) {
      if (!(error instanceof AthenaNo) || error.status !== 401) throw error;
      if (token?.text === first) token = undefined;
      const second = await currentToken().catch(() => Promise.reject(error));
      return once(path, `Bearer ${second}`, ask);
    }
  }
  return { call, currentToken };
}

const silent = () => {
  throw new AthenaSilent();
};
