import type { FastifyInstance } from 'fastify';
import { patient } from '#contract/index.ts';
import { route } from '#server/kit/route.ts';
import { checkIn, readOfficeFront } from './check-in.ts';
import { arriveByLink, movePatientVisit, readPatientVisit, setLanguage } from './visit-page.ts';

export function patientRoutes(app: FastifyInstance): void {
  route(app, patient.readOfficeFront, (ctx, { params }) => readOfficeFront(ctx, params.npi));
  route(app, patient.checkIn, (ctx, { params, body }) => checkIn(ctx, params.npi, body));
  route(app, patient.readPatientVisit, (ctx) => readPatientVisit(ctx));
  route(app, patient.movePatientVisit, (ctx, { body }) => movePatientVisit(ctx, body.action));
  route(app, patient.arriveExpected, (ctx, { body }) => arriveByLink(ctx, body));
  route(app, patient.setPatientLanguage, (ctx, { body }) => setLanguage(ctx, body.language));
}
