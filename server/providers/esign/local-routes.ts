import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { languages, type Language } from '#contract/shapes.ts';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { closedPage, signingPage } from './local-page/page.ts';
import { decline, expire, openLink, pageOf, sign, type ClosedPage, type OpenPage } from './local-signing.ts';
import { signingPageMessages } from './local-messages.ts';

const Fraction = z.number().check(z.minimum(0), z.maximum(1));
const SignedInput = z.object({
  name: z.string().check(z.trim(), z.minLength(2), z.maxLength(120), z.regex(/\p{L}/u)),
  consent: z.literal(true),
  strokes: z.optional(
    z
      .array(z.array(z.tuple([Fraction, Fraction])).check(z.minLength(1), z.maxLength(4_000)))
      .check(z.minLength(1), z.maxLength(200)),
  ),
  ratio: z.optional(z.number().check(z.minimum(0.05), z.maximum(5))),
});
const DeclineInput = z.object({ reason: z.optional(z.string().check(z.maxLength(500))) });

const require = createRequire(import.meta.url);
const own = (file: string) => join(projectRoot, 'server/providers/esign/local-page', file);
/** The path of a file next to a package's entry. */
const beside = (exported: string, file: string) => join(dirname(require.resolve(exported)), file);
const assets: Record<string, [path: () => string, type: string]> = {
  'page.js': [() => own('page.js'), 'text/javascript; charset=utf-8'],
  'signature_pad.js': [() => beside('signature_pad', 'signature_pad.min.js'), 'text/javascript; charset=utf-8'],
  'hand.ttf': [
    () => beside('@expo-google-fonts/dancing-script/package.json', '500Medium/DancingScript_500Medium.ttf'),
    'font/ttf',
  ],
};

/** The local provider's own pages: without a session, opened by a single-use link, then authorized by the page's key. */
export function localEsignRoutes(app: FastifyInstance): void {
  const { services } = app;
  const assetCache = new Map<string, Buffer>();
  app.get('/esign/assets/page.css', async (_req, reply) => {
    const style = pageStyle('server/providers/esign/local-page/page.css');
    return reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(style);
  });
  app.get('/esign/assets/:file', async (req, reply) => {
    const { file } = req.params as { file: string };
    const asset = Object.hasOwn(assets, file) ? assets[file] : undefined;
    if (!asset) throw new Refusal('not_found');
    let content = assetCache.get(file);
    if (!content) assetCache.set(file, (content = readFileSync(asset[0]())));
    return reply.type(asset[1]).header('cache-control', 'public, max-age=3600').send(content);
  });

  // No HEAD and no prefetch: any request for a link opens it.
  app.get('/esign/sign/:token', { exposeHeadRoute: false }, async (req, reply) => {
    if (/prefetch|prerender/.test(String(req.headers['sec-purpose'] ?? ''))) return reply.code(503).send();
    const { token } = req.params as { token: string };
    const opened = await openLink(services, token, visitorOf(req));
    const { productName, demo } = services.env;
    if ('closed' in opened) {
      const language = opened.language ?? askedLanguage(req);
      return html(
        reply.code(opened.closed === 'unknown' ? 404 : 410),
        closedPage(productName, language, opened.closed),
      );
    }
    return html(reply, signingPage(productName, opened.page, opened.key, { demo }));
  });

  app.get('/esign/page/:key/document', async (req, reply) => {
    const page = await pageOf(services, keyOf(req));
    if ('closed' in page)
      return html(reply.code(410), closedPage(services.env.productName, askedLanguage(req), page.closed));
    const { file, content } = await services.providers.storage.get(page.request.pdfKey);
    return reply
      .type('application/pdf')
      .header('content-length', file.bytes)
      .header('content-disposition', `inline; filename="${page.request.fileName}"`)
      .header('content-security-policy', "default-src 'none'")
      .send(content);
  });

  app.post('/esign/page/:key/sign', (req) =>
    carryOutRequest(req, SignedInput, 'done', (page, { name, strokes, ratio }) =>
      sign(
        services,
        page,
        { name, strokes: strokes ?? null, ratio: ratio ?? 0.3 },
        { visitor: visitorOf(req), consent: signingPageMessages[page.language].consent },
      ),
    ),
  );
  app.post('/esign/page/:key/decline', (req) =>
    carryOutRequest(req, DeclineInput, 'declined', (page, { reason }) =>
      decline(services, page, visitorOf(req), reason?.trim() ?? ''),
    ),
  );
  if (services.env.demo)
    app.post('/esign/page/:key/expire', (req) =>
      carryOutRequest(req, z.object({}), 'expired', (page) => expire(services, page, visitorOf(req))),
    );
}

/** Carries out the page's request and returns what the page shows next. */
async function carryOutRequest<B>(
  req: FastifyRequest,
  schema: z.ZodMiniType<B>,
  well: 'done' | 'declined' | 'expired',
  verb: (page: OpenPage, body: B) => Promise<ClosedPage | null>,
): Promise<{ state: string }> {
  const body = z.safeParse(schema, req.body ?? {});
  if (!body.success || !isClean(req.body)) throw new Refusal('invalid_input');
  const page = await pageOf(req.server.services, keyOf(req));
  if ('closed' in page) return { state: page.closed };
  return { state: (await verb(page, body.data)) ?? well };
}

const isClean = (body: unknown) => {
  const text = JSON.stringify(body ?? {});
  return text.isWellFormed() && !/\\u0000|\\ud[89a-f]/i.test(text);
};
const keyOf = (req: FastifyRequest) => (req.params as { key: string }).key;
const visitorOf = (req: FastifyRequest) => ({
  address: req.ip,
  userAgent: (req.headers['user-agent'] ?? '').slice(0, 300),
});
const askedLanguage = (req: FastifyRequest): Language =>
  languages.find((language) => (req.headers['accept-language'] ?? '').trim().startsWith(language)) ?? 'en';

/** May be shown alone or in a frame of our own panel, nowhere else. */
function html(reply: FastifyReply, page: string): FastifyReply {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
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
