import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { mostCents } from '#contract/copay.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { takeDemoPace } from '#server/providers/demo-pace.ts';
import { cardFormPage, dashboardPage } from './local-page/page.ts';
import { insertCard, transfersOf } from './local-sql.ts';
import { playTransfer } from './local.ts';
import { behaviorOf, brandOf } from './test-cards.ts';

const FormQuery = z.object({
  language: z.enum(['en', 'es']),
  amount: z.string().check(z.regex(/^\d{1,8}$/)),
});
const NewCard = z.object({ number: z.string().check(z.maxLength(40)) });

const Play = z.object({
  reference: z.string().check(z.maxLength(100)),
  state: z.optional(z.enum(['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELED'])),
  answers: z.optional(z.boolean()),
  reports: z._default(z.int().check(z.minimum(0), z.maximum(10)), 1),
});

const cardsPerNetwork = { name: 'local-cards', points: 30, seconds: 600 };
const folder = 'server/providers/charges/local-page';

/** The local payment provider's own pages: the card form, where cards become tokens, and the dashboard of the demo. */
export function localChargesRoutes(app: FastifyInstance): void {
  const { services } = app;
  const { productName, demo } = services.env;
  app.get('/charges/assets/page.css', async (_req, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(pageStyle(`${folder}/page.css`)),
  );
  app.get('/charges/assets/page.js', async (_req, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(readFileSync(join(projectRoot, folder, 'page.js'), 'utf8')),
  );
  app.get('/charges/card', async (req, reply) => {
    const query = z.safeParse(FormQuery, req.query);
    if (!query.success) throw new Refusal('not_found');
    const cents = Math.min(Number(query.data.amount), mostCents);
    return html(reply, cardFormPage(productName, query.data.language, cents));
  });
  // Only the brand and the last four digits are stored; a wrong number has no token.
  app.post('/charges/cards', async (req) => {
    await services.limits.takeForNetwork(cardsPerNetwork, networkOfAddress(req.ip));
    const body = z.safeParse(NewCard, req.body);
    const digits = body.success ? body.data.number.replace(/[ -]/g, '') : '';
    const behavior = behaviorOf(digits);
    if (behavior === null) throw new Refusal('invalid_input');
    const card = services.id();
    await insertCard(services.db, {
      id: card,
      brand: brandOf(digits),
      last4: digits.slice(-4),
      behavior,
      createdAt: services.now(),
    });
    return { card };
  });
  if (!demo) return;
  app.get('/dev/charges', async (req, reply) => {
    const { merchant } = req.query as { merchant?: unknown };
    const named = typeof merchant === 'string' ? merchant.toWellFormed().replaceAll('\0', '') : '';
    return html(reply, dashboardPage(productName, await transfersOf(services.db, named, 200)));
  });
  app.post('/dev/charges/transfers', async (req) => {
    await takeDemoPace(req);
    const play = z.safeParse(Play, req.body);
    if (!play.success) throw new Refusal('invalid_input');
    if (!(await playTransfer(services, play.data))) throw new Refusal('not_found');
    return { played: true };
  });
}

/** May be shown alone or in a frame of our own page, nowhere else. */
function html(reply: FastifyReply, page: string): FastifyReply {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('x-frame-options', 'SAMEORIGIN')
    .send(page);
}
