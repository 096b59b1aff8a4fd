import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { style } from './openapi-style.ts';
import { openapi } from '#contract/openapi.ts';

const page = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="stylesheet" href="/api/docs/colors.css">
<script src="/api/docs/swagger-ui-bundle.js" defer></script>
<script src="/api/docs/start.js" defer></script>
</head>
<body><main id="docs"></main></body>
</html>`;

const start = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true });`;

/** The contract as OpenAPI at `/api/openapi.json`, and a page to try it at `/api/docs`. */
export function documentRoutes(app: FastifyInstance): void {
  const { productName } = app.services.env;
  let document: string | undefined;
  app.get('/api/openapi.json', async (_req, reply) => {
    document ??= JSON.stringify(openapi(productName));
    return reply.type('application/json').send(document);
  });
  app.get('/api/docs', async (_req, reply) => reply.type('text/html').send(page(escapeHtml(productName))));
  app.get('/api/docs/start.js', async (_req, reply) => reply.type('text/javascript').send(start));
  app.get('/api/docs/colors.css', async (_req, reply) => reply.type('text/css').send(style));
  void app.register(fastifyStatic, {
    root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    prefix: '/api/docs/',
    allowedPath: (path) => path === '/swagger-ui.css' || path === '/swagger-ui-bundle.js',
    decorateReply: false,
    index: false,
  });
}

/** Escapes text for an HTML page. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
