import type { FastifyInstance } from 'fastify';
import client from 'prom-client';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: client.Registry;
  }
}

/** `/metrics`: Prometheus, no patient data. The second argument is the server whose requests are counted. */
export function metricsRoute(app: FastifyInstance, { metrics }: FastifyInstance): void {
  app.get('/metrics', async (_req, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
}

/**
 * `/healthz` (alive) and `/readyz` (the database answers, hints arrive, and the process is not draining). Counts requests for `/metrics`.
 */
export function healthRoutes(app: FastifyInstance): void {
  const registry = new client.Registry();
  app.decorate('metrics', registry);
  client.collectDefaultMetrics({ register: registry });
  const took = new client.Histogram({
    name: 'anteroom_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  new client.Gauge({
    name: 'anteroom_screens_connected',
    help: 'Panels and phones connected to this process',
    registers: [registry],
    collect() {
      this.set(app.services.live.panels);
    },
  });
  app.addHook('onResponse', async (req, reply) => {
    took.observe(
      { method: req.method, route: req.routeOptions.url ?? 'unknown', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_req, reply) => {
    const database = await app.services.pool.query('select 1').then(
      () => true,
      () => false,
    );
    const ready = database && app.services.live.listening && !app.draining;
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'not ready', database, listening: app.services.live.listening });
  });
}
