import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { languages, type Language } from '#contract/shapes.ts';
import { languageOf } from '#server/kit/http/request-context.ts';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { documentPage, noSuchDocument } from './page.ts';
import { isPublic, createPdfCache, readDocument, titlesIn } from './published.ts';

const asset = (file: string) => readFileSync(join(projectRoot, 'server/features/documents', file), 'utf8');
const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value);

/** Only our own page may frame the PDF. */
const pdfPolicy = "base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** `/document?file=`: the public documents, each as a page and as a PDF. Only listed names are served. */
export function publicDocumentRoutes(app: FastifyInstance): void {
  const { productName, operatorName } = app.services.env;
  const names = { product: productName, operator: operatorName };
  const pdfOf = createPdfCache(names);

  app.get('/document', async (req, reply) => {
    const { file, lang } = req.query as { file?: unknown; lang?: unknown };
    const language = isLanguage(lang) ? lang : languageOf(req.headers['accept-language']);
    const titles = titlesIn(language, names);
    reply.type('text/html; charset=utf-8').header('content-language', language);
    if (!isPublic(file)) return reply.code(404).send(noSuchDocument(productName, language, titles));
    return reply.send(documentPage(productName, language, { file, ...readDocument(file, language, names) }, titles));
  });

  app.get('/document/:language/:file', async (req, reply) => {
    const { language, file } = req.params as { language?: unknown; file?: unknown };
    if (!isLanguage(language) || !isPublic(file)) throw new Refusal('not_found');
    return reply
      .type('application/pdf')
      .headers({
        'content-security-policy': pdfPolicy,
        'x-frame-options': 'SAMEORIGIN',
        'cache-control': 'public, max-age=3600',
        'content-disposition': `inline; filename="${file}"`,
        'content-language': language,
      })
      .send(await pdfOf(file, language));
  });
  app.get('/document/page.css', async (_req, reply) =>
    reply.type('text/css; charset=utf-8').send(pageStyle('server/features/documents/page.css')),
  );
  app.get('/document/page.js', async (_req, reply) =>
    reply.type('text/javascript; charset=utf-8').send(asset('page.js')),
  );
}
