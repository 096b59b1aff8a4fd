import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { panelPaths } from '#contract/panel-paths.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/** The folder of the built pages. */
export const builtPages = join(projectRoot, 'dist/web');

/** The id of the phone's build, which its page sends with each call (`X-Build`); null if the pages are not built. */
export function readPhoneBuild(webRoot = builtPages): string | null {
  const page = join(webRoot, 'patient.html');
  if (!existsSync(page)) return null;
  return /<meta name="build" content="([\w-]+)"/.exec(readFileSync(page, 'utf8'))?.[1] ?? null;
}

/** Data that a page embeds so that it needs no second round trip; null if there is none. */
export type Boot = (req: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

const ownScripts = "script-src 'self'";

/** Reads a built page once: `fill` puts data in the place of its marker, `allow` adds its inline scripts, by hash, to a CSP. */
export function readPage(
  webRoot: string,
  name: string,
): { fill: (data: unknown) => string; allow: (policy: string) => string } {
  const html = readFileSync(join(webRoot, `${name}.html`), 'utf8');
  const [before = '', after = ''] = html.split('<!--boot-->');
  const scripts = Array.from(html.matchAll(/<script>(.*?)<\/script>/gs), ([, script = '']) => script);
  const hashes = scripts.map((script) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  const embed = (data: unknown) =>
    `<script type="application/json" id="boot">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>`;
  return {
    fill: (data) => before + (data === null ? '' : embed(data)) + after,
    allow(policy) {
      if (!policy.includes(ownScripts)) throw new Error(`The policy of the pages has no ${ownScripts}.`);
      return policy.replace(ownScripts, () => ownScripts + hashes.join(''));
    },
  };
}

/**
 * Serves the built pages: hashed assets are cached forever, HTML is never cached, `boot` replaces the page's marker. Unknown paths answer
 * 404; browsers get the panel's "not found" page.
 */
export function pageRoutes(app: FastifyInstance, boot: { panel: Boot; patient: Boot }, webRoot = builtPages): void {
  if (!existsSync(join(webRoot, 'panel.html'))) {
    app.get('/', async (_req, reply) =>
      reply.type('text/plain').send('The pages are not built yet: run `npm run build`, or script/dev.'),
    );
    app.setNotFoundHandler(async () => {
      throw new Refusal('not_found');
    });
    return;
  }
  void app.register(fastifyStatic, {
    root: join(webRoot, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    index: false,
  });
  // Its URL never changes, so it must be revalidated each time.
  app.get('/sw.js', async (_req, reply) => {
    const worker = await readFile(join(webRoot, 'sw.js'), 'utf8');
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(worker);
  });
  const page = (name: string, carry: Boot) => {
    const { fill, allow } = readPage(webRoot, name);
    return async (req: FastifyRequest, reply: FastifyReply) => {
      const data = await carry(req, reply).catch(() => null);
      const policy = reply.getHeader('content-security-policy');
      if (typeof policy === 'string') reply.header('content-security-policy', allow(policy));
      return reply.type('text/html; charset=utf-8').send(fill(data));
    };
  };
  const patient = page('patient', boot.patient);
  // Whoever has a visit's link can open it, so search engines must not list or store the page.
  for (const path of ['/c/*', '/visit/*'])
    app.get(path, async (req, reply) => patient(req, reply.header('x-robots-tag', 'noindex, nofollow, noarchive')));
  // The pages of an episode and of a shared link embed nothing, and must not be listed or stored either.
  const outside = page('patient', async () => null);
  for (const path of ['/episode/*', '/forms/shared', '/form-error', '/form-expired'])
    app.get(path, async (req, reply) => outside(req, reply.header('x-robots-tag', 'noindex, nofollow, noarchive')));
  const panel = page('panel', boot.panel);
  for (const path of panelPaths) app.get(path.replaceAll('$', ':'), panel);
  app.setNotFoundHandler(async (req, reply) => {
    const isNavigation =
      req.method === 'GET' &&
      req.headers.accept?.includes('text/html') === true &&
      !/^\/(api|assets|dev)(\/|$)/.test(req.url);
    if (isNavigation) return panel(req, reply.code(404));
    throw new Refusal('not_found');
  });
}
