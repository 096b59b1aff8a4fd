import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The process is shutting down: `/readyz` answers 503, and each answer asks for its connection to be closed. */
    draining: boolean;
    /** When the last request came in that was not a health check, on the monotonic clock. */
    lastAskedMs: number;
  }
}

/** Prepares the server for a shutdown without failed requests. */
export function draining(app: FastifyInstance): void {
  app.decorate('draining', false);
  app.decorate('lastAskedMs', 0);
  app.addHook('onRequest', async (req) => {
    if (!/^\/(readyz|healthz|metrics)\b/.test(req.url)) app.lastAskedMs = performance.now();
  });
  app.addHook('onSend', async (_req, reply) => {
    if (app.draining) reply.header('connection', 'close');
  });
}

const quietMs = 500;

/**
 * Tells the load balancer, keeps serving for `seconds` and until it really stops sending requests (at most three times as long), then
 * accepts nothing new and finishes the running requests.
 */
export async function drain(app: FastifyInstance, seconds: number, closeSockets: () => Promise<void>): Promise<void> {
  app.draining = true;
  const from = performance.now();
  const passed = () => performance.now() - from;
  await sleep(seconds * 1000);
  while (performance.now() - app.lastAskedMs < quietMs && passed() < seconds * 3_000) await sleep(50);
  app.server.close(); // pages reconnect at once, to another process
  await closeSockets();
  await app.close();
}
