import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { stripePage } from './stripe-page/page.ts';

const folder = 'server/providers/card/stripe-page';

/** The page where a card is entered with Stripe: its fields are Stripe's own frames. Nothing typed there comes to this server. */
export function stripeCardRoutes(app: FastifyInstance): void {
  const { env } = app.services;
  const publishableKey = env.stripe?.publishableKey ?? '';
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
      .send(stripePage(env.productName, language === 'es' ? 'es' : 'en', publishableKey));
  });
}

/** This page alone may load Stripe's script and frames. */
const policy = [
  "default-src 'none'",
  "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
  "style-src 'self'",
  "connect-src 'self' https://api.stripe.com",
  'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  "img-src 'self' data: https://*.stripe.com",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');
