import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The process is about to leave: `/readyz` says no, and each answer asks for its connection to be closed. */
    draining: boolean;
    /** When somebody last asked for anything but this process's health, by the monotonic clock. */
    lastAskedMs: number;
  }
}

/** Prepares the server for leaving without anybody noticing. */
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
 * Tells the load balancer, serves on for `seconds` and until it has really looked elsewhere (three times as long at most), then takes
 * nothing new and ends what runs.
 */
export async function drain(app: FastifyInstance, seconds: number, closeSockets: () => Promise<void>): Promise<void> {
  app.draining = true;
  const from = performance.now();
  const passed = () => performance.now() - from;
  await sleep(seconds * 1000);
  while (performance.now() - app.lastAskedMs < quietMs && passed() < seconds * 3_000) await sleep(50);
  app.server.close(); // pages connect again at once: not to this process
  await closeSockets();
  await app.close();
}
