import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { googleReturnPath } from '#contract/sign-in/google.ts';
import type { Services } from '#server/context.ts';
import { newToken } from '#server/kit/crypto/secret.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { openIssuer, type IssuerHandler } from './issuer.ts';
import { oidcGoogle } from './oidc.ts';
import type { Google } from './port.ts';
import { testPeople } from './test-people.ts';

const path = '/dev/google';

/** The stand-in for Google: a real issuer with test accounts below `/dev/google`, started on first use. */
export interface LocalGoogle extends Google {
  answer: IssuerHandler;
}

export function localGoogle({ env, log }: Pick<Services, 'env' | 'log'>): LocalGoogle {
  const client = {
    issuer: `${env.publicUrl}${path}`,
    clientId: 'anteroom',
    clientSecret: newToken(),
    redirectUri: `${env.publicUrl}${googleReturnPath}`,
  };
  let opened: Promise<IssuerHandler> | undefined;
  const issuer = () =>
    (opened ??= openIssuer({
      ...client,
      product: env.productName,
      people: testPeople,
      stylesheet: `${path}/picker.css`,
    }));
  const answer: IssuerHandler = async (req, res, below) => (await issuer())(req, res, below);

  // Calls go to loopback: this machine may be unable to reach its own public address.
  let loopback: Promise<string> | undefined;
  const direct = () => (loopback ??= listenOnLoopback(answer));
  return {
    ...oidcGoogle(
      { log },
      {
        ...client,
        hostedDomain: null,
        fetch: async (url, options) => fetch(url.replace(client.issuer, await direct()), options as RequestInit),
      },
      'local',
    ),
    answer,
  };
}

/** The issuer's pages, for browsers. Demo only. */
export function localGoogleRoutes(app: FastifyInstance, { answer }: LocalGoogle): void {
  void app.register(async (below) => {
    // The issuer parses request bodies itself.
    below.removeAllContentTypeParsers();
    below.addContentTypeParser('*', (_req, _body, done) => done(null));
    below.get(`${path}/picker.css`, async (_req, reply) =>
      reply
        .type('text/css; charset=utf-8')
        .send(readFileSync(join(projectRoot, 'server/providers/google/account-picker.css'), 'utf8')),
    );
    for (const method of ['GET', 'POST'] as const)
      below.route({
        method,
        url: `${path}/*`,
        handler: async (req, reply) => {
          reply.hijack();
          for (const [name, value] of Object.entries(reply.getHeaders())) if (value) reply.raw.setHeader(name, value);
          await answer(req.raw, reply.raw, (req.raw.url ?? '').slice(path.length));
        },
      });
  });
}

async function listenOnLoopback(answer: IssuerHandler): Promise<string> {
  const server = createServer((req: IncomingMessage, res: ServerResponse) => void answer(req, res, req.url ?? '/'));
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
