import type { FastifyInstance } from 'fastify';
import { listAudit } from '#contract/audit.ts';
import { route } from '#server/kit/http/route.ts';
import { listAuditEntries } from './list-entries.ts';

export function auditRoutes(app: FastifyInstance): void {
  route(app, listAudit, (ctx, { query }) => listAuditEntries(ctx, query));
}
