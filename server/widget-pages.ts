import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readWidgetPage } from '#server/features/website-chat/index.ts';
import { policyFramedBy } from '#server/kit/http/browser-rules.ts';
import { etagOf } from '#server/kit/http/route.ts';
import { builtPages, readPage } from './pages.ts';

/** The chat for other websites: the script that they load, and the page that it opens in a frame. Not built, neither exists. */
export function widgetRoutes(app: FastifyInstance, webRoot = builtPages): void {
  if (!existsSync(join(webRoot, 'widget.js'))) return;
  app.get('/widget.js', sendScript(readFileSync(join(webRoot, 'widget.js'))));
  const { fill } = readPage(webRoot, 'widget');
  app.get('/widget/:npi', async (req, reply) => {
    const { status, boot, origins, retryAfterSeconds } = await readWidgetPage(app.services, req, reply);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
    // A website that isolates itself takes only frames with both of these.
    reply.header('cross-origin-resource-policy', 'cross-origin').header('cross-origin-embedder-policy', 'require-corp');
    reply.header('content-security-policy', policyFramedBy(origins)).removeHeader('x-frame-options');
    reply.header('x-robots-tag', 'noindex, nofollow, noarchive');
    return reply.code(status).type('text/html; charset=utf-8').send(fill(boot));
  });
}

/** Any website may load it. Its URL never changes, so browsers ask again after an hour, and use the old one meanwhile. */
function sendScript(source: Buffer) {
  const etag = `"${createHash('sha256').update(source).digest('base64url').slice(0, 22)}"`;
  const packed = { br: brotliCompressSync(source), gzip: gzipSync(source, { level: 9 }) };
  return async (req: FastifyRequest, reply: FastifyReply) => {
    reply.headers({
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
      etag,
      vary: 'accept-encoding',
    });
    if (etagOf(req) === etag) return reply.code(304).send();
    const accepted = String(req.headers['accept-encoding'] ?? '');
    const encoding = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
    if (encoding) reply.header('content-encoding', encoding);
    return reply.type('text/javascript; charset=utf-8').send(encoding ? packed[encoding] : source);
  };
}
