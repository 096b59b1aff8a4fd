import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { mostCents } from '#contract/copay.ts';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { finixPage } from './finix-page/page.ts';

const FormQuery = z.object({
  language: z.enum(['en', 'es']),
  amount: z.string().check(z.regex(/^\d{1,8}$/)),
});
const folder = 'server/providers/charges/finix-page';

/** The page with Finix's card form, for a frame of the patient's page. Nothing typed in the form comes to this server. */
export function finixChargesRoutes(app: FastifyInstance): void {
  const { productName, finix } = app.services.env;
  const account = {
    application: finix?.applicationId ?? '',
    environment: /sandbox/.test(finix?.url ?? '') ? 'sandbox' : 'prod',
  };
  const script = readFileSync(join(projectRoot, folder, 'page.js'), 'utf8');
  const style = pageStyle('server/providers/charges/local-page/page.css');
  app.get('/charges/assets/page.css', async (_req, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(style),
  );
  app.get('/charges/assets/page.js', async (_req, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600').send(script),
  );
  app.get('/charges/card', async (req, reply) => {
    const query = z.safeParse(FormQuery, req.query);
    if (!query.success) throw new Refusal('not_found');
    const { language, amount } = query.data;
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('x-frame-options', 'SAMEORIGIN')
      .send(finixPage(productName, { language, amountCents: Math.min(Number(amount), mostCents), ...account }));
  });
}

/** This page alone may load Finix's script and frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self' https://js.finix.com",
  "style-src 'self'",
  "connect-src 'self' https://*.finix.com",
  'frame-src https://js.finix.com https://*.finix.com',
  'img-src data: https://*.finix.com',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');
