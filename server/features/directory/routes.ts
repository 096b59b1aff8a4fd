import type { FastifyInstance } from 'fastify';
import { directory } from '#contract/index.ts';
import { versionedRoute } from '#server/kit/http/versioned-reply.ts';
import { readPatient, searchPatients } from './directory.ts';

export function directoryRoutes(app: FastifyInstance): void {
  versionedRoute(app, directory.searchPatients, (ctx, { body }, known) => searchPatients(ctx, body, known));
  versionedRoute(app, directory.readPatient, (ctx, { params }, known) => readPatient(ctx, params.patientId, known));
}
