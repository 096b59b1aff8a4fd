import type { FastifyInstance } from 'fastify';
import { directory } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { readPatient, searchPatients } from './directory.ts';

export function directoryRoutes(app: FastifyInstance): void {
  route(app, directory.searchPatients, (ctx, { body }) => searchPatients(ctx, body));
  route(app, directory.readPatient, (ctx, { params }) => readPatient(ctx, params.patientId));
}
