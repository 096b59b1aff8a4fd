import type { Access, Endpoint } from '#contract/endpoint.ts';
import { session, signIn } from '#contract/index.ts';
import type { Session } from '#contract/sign-in/session.ts';
import type { Reply, TestApp } from './test-app.ts';

let addresses = 0;

/** A browser in a test: it stores cookies and has its own address (the app needs TRUST_PROXY=127.0.0.1 for that). */
export function openBrowser(
  testApp: TestApp,
  { address = `198.18.0.${++addresses}`, cookies = new Map<string, string>(), userAgent = 'test' } = {},
) {
  const call = async <R, P, Q, B, Who extends Access>(
    e: Endpoint<R, P, Q, B, Who>,
    body?: object,
    headers: Record<string, string> = {},
    params?: Record<string, string>,
  ): Promise<Reply<R> & { setCookies: string[] }> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await testApp.call(e, { body, params } as never, {
      as: null,
      headers: { 'x-forwarded-for': address, 'user-agent': userAgent, ...(cookie && { cookie }), ...headers },
    });
    const setCookies = [answer.headers['set-cookie'] ?? []].flat() as string[];
    for (const line of setCookies) keep(line);
    return { ...answer, setCookies };
  };
  const keep = (line: string) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  };
  return {
    call,
    cookies,
    address,
    ask: (who: { email: string } | { phone: string }) => call(signIn.requestCode, who),
    enter: (who: { email: string } | { phone: string }, code: string, more: object = {}) =>
      call(signIn.verifyCode, { ...who, code, ...more }),
    session: async (headers?: Record<string, string>): Promise<Session> =>
      (await call(session.readSession, undefined, headers)).body,
    /** Requests a code, reads it from the outbox, and enters it. */
    async signIn(who: { email: string } | { phone: string }): Promise<Session> {
      await call(signIn.requestCode, who);
      const { body } = await call(signIn.verifyCode, {
        ...who,
        code: await codeFor(testApp, Object.values(who)[0] as string),
      });
      return body.session;
    },
  };
}

export type TestBrowser = ReturnType<typeof openBrowser>;

/** Everything sent to an address or number, newest first. */
export function sentTo(testApp: TestApp, recipient: string) {
  return testApp.owner
    .selectFrom('dev.outbox')
    .selectAll()
    .where('recipient', '=', recipient)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The newest code sent to an address or number. */
export async function codeFor(testApp: TestApp, recipient: string): Promise<string> {
  const [newest] = await sentTo(testApp, recipient);
  const [code] = newest?.body.match(/\b\d{6}\b/) ?? [];
  if (code === undefined) throw new Error('no code was sent there');
  return code;
}

/** A wrong code: six other digits. */
export const differentCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
