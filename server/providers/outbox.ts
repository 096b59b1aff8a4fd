import type { FastifyInstance } from 'fastify';
export function outboxRoutes(_app: FastifyInstance): void {}
