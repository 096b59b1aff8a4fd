import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { languages, type Language } from '#contract/shapes.ts';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { languageOf } from '#server/kit/http/request-context.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { canonicalPath, tourPage } from './page.ts';

const folder = 'server/features/tour';
const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value);

/** `/tour`: the public page about the product, the only one that search engines list. It loads nothing of the panel. */
export function tourRoutes(app: FastifyInstance): void {
  const { env, planPrices } = app.services;
  const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
  // The moving picture looks as on the panel's entrance.
  const style = `${read('web/kit/styles/product-scene.css')}\n${pageStyle(`${folder}/page.css`)}`;
  const script = read(`${folder}/page.js`);
  const font = readFileSync(
    createRequire(import.meta.url).resolve('@fontsource-variable/noto-sans/files/noto-sans-latin-wght-normal.woff2'),
  );
  const version = createHash('sha256').update(style).update(script).digest('hex').slice(0, 8);

  app.get('/tour', async (req, reply) => {
    const { lang } = req.query as { lang?: unknown };
    const language = isLanguage(lang) ? lang : languageOf(req.headers['accept-language']);
    const page = tourPage({
      product: env.productName,
      operator: env.operatorName,
      publicUrl: env.publicUrl,
      language,
      version,
      cents: await planPrices(),
      demo: env.demo,
      phone: env.supportPhone ?? null,
    });
    return forEveryone(reply, 300)
      .headers({ 'content-language': language, vary: 'accept-language' })
      .type('text/html; charset=utf-8')
      .send(page);
  });
  app.get('/tour/page.css', async (_req, reply) =>
    forEveryone(reply, 86_400).type('text/css; charset=utf-8').send(style),
  );
  app.get('/tour/noto-sans.woff2', async (_req, reply) => forEveryone(reply, 86_400).type('font/woff2').send(font));
  app.get('/tour/page.js', async (_req, reply) =>
    forEveryone(reply, 86_400).type('text/javascript; charset=utf-8').send(script),
  );

  // Nothing is disallowed: a crawler has to read a page to find its noindex.
  app.get('/robots.txt', async (_req, reply) =>
    forEveryone(reply, 86_400)
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nAllow: /\nSitemap: ${env.publicUrl}/sitemap.xml\n`),
  );
  app.get('/sitemap.xml', async (_req, reply) => {
    const urls = languages.map((language) => `<url><loc>${env.publicUrl}${canonicalPath(language)}</loc></url>`);
    return forEveryone(reply, 86_400)
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`,
      );
  });
}

/** A public answer without personal data: it may be cached, and search engines may list it. */
function forEveryone(reply: FastifyReply, seconds: number): FastifyReply {
  return reply.header('cache-control', `public, max-age=${seconds}`).removeHeader('x-robots-tag');
}
