import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The process is about to leave: `/readyz` says no, and each answer asks for its connection to be closed. */
    draining: boolean;
  }
}

/** Prepares the server for leaving without anybody noticing. */
export function draining(app: FastifyInstance): void {
  app.decorate('draining', false);
  app.addHook('onSend', async (_req, reply) => {
    if (app.draining) reply.header('connection', 'close');
  });
}

/** Tells the load balancer, serves on for `seconds` until it has looked elsewhere, then takes nothing new and ends what runs. */
export async function drain(app: FastifyInstance, seconds: number, closeSockets: () => Promise<void>): Promise<void> {
  app.draining = true;
  await sleep(seconds * 1000);
  await closeSockets();
  await app.close();
}
