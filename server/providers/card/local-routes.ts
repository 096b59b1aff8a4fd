import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Services } from '#server/context.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { takeDemoPace } from '#server/providers/demo-pace.ts';
import { letDaysPass } from './local-accounts.ts';
import { cardPage } from './local-page/page.ts';
import { insertToken } from './local-sql.ts';
import { CardRefused } from './port.ts';
import { readTypedCard } from './test-cards.ts';

const TypedCard = z.object({
  number: z.string().check(z.maxLength(30)),
  expiry: z.string().check(z.maxLength(30)),
  cvc: z.string().check(z.maxLength(30)),
});

const Passing = z.object({
  customerId: z.string().check(z.maxLength(100)),
  days: z.int().check(z.minimum(1), z.maximum(400)),
});

/** At most this many cards an hour from one network: each is a row. */
const perNetwork = { name: 'local-card-token', points: 60, seconds: 3600 };

const folder = 'server/providers/card/local-page';

/** The local provider's own page, and the call by which it turns a card into a token. Our application only ever gets the token. */
export function localCardRoutes(app: FastifyInstance): void {
  const { services } = app;
  const script = readFileSync(join(projectRoot, folder, 'page.js'), 'utf8');
  const style = pageStyle(`${folder}/page.css`);
  app.get('/card/assets/page.css', async (_req, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(style),
  );
  app.get('/card/assets/page.js', async (_req, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600').send(script),
  );
  app.get('/card/page', async (req, reply) => {
    const { language } = req.query as { language?: unknown };
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('x-frame-options', 'SAMEORIGIN')
      .send(cardPage(services.env.productName, language === 'es' ? 'es' : 'en'));
  });
  app.post('/card/tokens', async (req) => {
    await services.limits.take(perNetwork, networkOfAddress(req.ip));
    const typed = z.safeParse(TypedCard, req.body ?? {});
    if (!typed.success) throw new Refusal('invalid_input');
    const read = readTypedCard(typed.data, services.now());
    if ('wrong' in read) return read;
    const { needsConfirmation = false, ...card } = read.card;
    const token = `tok_local_${newToken()}`;
    await insertToken(services.db, { tokenHash: hashToken(token), createdAt: services.now(), ...card });
    return { token, needsConfirmation };
  });
  if (!services.env.demo) return;
  app.post('/dev/card/days', async (req) => {
    await takeDemoPace(req);
    return passDays(services, req.body);
  });
}

/** For trying out: a plan's trial ends, its renewal is declined or its period is over now, not in so many days. */
async function passDays(services: Services, body: unknown): Promise<{ passed: number }> {
  const parsedBody = z.safeParse(Passing, body);
  if (!parsedBody.success) throw new Refusal('invalid_input');
  const { customerId, days } = parsedBody.data;
  try {
    await letDaysPass(services, customerId, days);
  } catch (error) {
    if (error instanceof CardRefused) throw new Refusal('not_found');
    throw error;
  }
  return { passed: days };
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');
