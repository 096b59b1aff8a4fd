import type { FastifyInstance } from 'fastify';
import { exportAudit, listAudit, listAuditPeople as listPeople } from '#contract/audit.ts';
import { route } from '#server/kit/http/route.ts';
import { exportAuditEntries, listAuditEntries, listAuditPeople } from './list-entries.ts';

export function auditRoutes(app: FastifyInstance): void {
  route(app, listAudit, (ctx, { query }) => listAuditEntries(ctx, query));
  route(app, exportAudit, (ctx, { body }) => exportAuditEntries(ctx, body));
  route(app, listPeople, (ctx) => listAuditPeople(ctx));
}
