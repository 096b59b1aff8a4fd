import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { panelPaths } from '#contract/panel-paths.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { Refusal } from './refusal.ts';

/** What a page may carry so that it needs no second round trip; null when there is nothing to carry. */
export type Boot = (req: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Serves the built pages: assets by their hash for ever, HTML never kept, `boot` put where the page's marker stands. An address that
 * is none of ours is 404; a person's browser gets the panel with it, which leads on to the start.
 */
export function pages(
  app: FastifyInstance,
  boot: { panel: Boot; patient: Boot },
  webRoot = join(projectRoot, 'dist/web'),
): void {
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
  // Its address never changes, so it is asked for anew each time.
  app.get('/sw.js', async (_req, reply) => {
    const worker = await readFile(join(webRoot, 'sw.js'), 'utf8');
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(worker);
  });
  const html = (name: string) => readFileSync(join(webRoot, `${name}.html`), 'utf8').split('<!--boot-->');
  const page = (name: string, carry: Boot) => {
    const [before = '', after = ''] = html(name);
    return async (req: FastifyRequest, reply: FastifyReply) => {
      const data = await carry(req, reply).catch(() => null);
      const json =
        data === null
          ? ''
          : `<script type="application/json" id="boot">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>`;
      return reply.type('text/html; charset=utf-8').send(before + json + after);
    };
  };
  const patient = page('patient', boot.patient);
  // Whoever has a link to a visit can open it, so no search engine is to list or keep the page.
  for (const path of ['/c/*', '/visit/*'])
    app.get(path, async (req, reply) => patient(req, reply.header('x-robots-tag', 'noindex, nofollow, noarchive')));
  // What a patient shared: the page holds nothing of it, and is not to be listed or kept by anybody.
  const outside = page('patient', async () => null);
  for (const path of ['/forms/shared', '/form-error', '/form-expired'])
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
