import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openIssuer, type IssuerHandler } from '#server/providers/google/issuer.ts';
import type { TestPerson } from '#server/providers/google/test-people.ts';

export const client = { clientId: 'anteroom-test', clientSecret: 'a-secret-of-the-test-and-nobody-else' };

/** An OpenID Connect issuer on its own port, like Google's, and the app's environment for it. */
export async function startIssuer(people: TestPerson[], redirectUri: string) {
  let answer: IssuerHandler | undefined;
  const server = createServer((req, res) => void answer?.(req, res, req.url ?? '/'));
  const issuer = await listen(server);
  answer = await openIssuer({ ...client, issuer, product: 'Anteroom', redirectUri, people, stylesheet: '/none.css' });
  return { issuer, env: envFor(issuer), close: () => server.close() };
}

/** An issuer with scripted answers, for responses a real one never sends. */
export async function startForger(answerWith: (path: string, issuer: string) => unknown) {
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const answer = answerWith((req.url ?? '').split('?')[0] ?? '', issuer);
    res.statusCode = typeof answer === 'number' ? answer : 200;
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(typeof answer === 'number' ? {} : answer));
  });
  const issuer = await listen(server);
  return { issuer, env: envFor(issuer), close: () => server.close() };
}

const envFor = (issuer: string) => ({
  GOOGLE_ISSUER: issuer,
  GOOGLE_CLIENT_ID: client.clientId,
  GOOGLE_CLIENT_SECRET: client.clientSecret,
});

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A person at the issuer: opens the URL, chooses an account (or null: declines), and is redirected back. Returns the redirect's query. */
export async function chooseAccount(url: string, sub: string | null, redirectUri: string): Promise<string> {
  const jar = new Map<string, string>();
  const go = async (address: string, form?: URLSearchParams): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  let at = url;
  let answer = await go(at);
  for (let step = 0; step < 10; step++) {
    const location = answer.headers.get('location');
    if (location) {
      at = new URL(location, at).href;
      if (at.startsWith(redirectUri)) return new URL(at).search;
      answer = await go(at);
    } else if (at.includes('/pick/')) answer = await go(at, new URLSearchParams({ account: sub ?? '' }));
    else throw new Error(`the issuer stopped at ${at}: ${await answer.text()}`);
  }
  throw new Error('the issuer sends in circles');
}
