/** Serves the empty app as server/pages.ts serves ours: with the app's headers and precompressed assets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';
import { browserRules } from '#server/kit/http/browser-rules.ts';

const { ROOT: root = '', PORT: port } = process.env;
const html = readFileSync(join(root, 'index.html'), 'utf8');
const app = Fastify({ forceCloseConnections: true });
browserRules(app);
await app.register(fastifyStatic, {
  root: join(root, 'assets'),
  prefix: '/assets/',
  immutable: true,
  maxAge: '365d',
  preCompressed: true,
  index: false,
});
app.get('/', (_req, reply) => reply.type('text/html; charset=utf-8').send(html));
await app.listen({ port: Number(port), host: '127.0.0.1' });
