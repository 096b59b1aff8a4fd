import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { patient, patientCheckIn, patientMessages } from '#contract/index.ts';
import { contextFor } from '#server/kit/http/request-context.ts';
import { etagOf, rawRoute, readInput, route } from '#server/kit/http/route.ts';
import { conditionalRequest } from '#server/kit/http/versioned-reply.ts';
import { visitorPace } from '#server/kit/http/visitor-pace.ts';
import { checkIn, forgetVisit, readOfficeFront, textVisitLink } from './check-in.ts';
import { noteWritingByPatient, writeToPractice } from './visit-messages.ts';
import { arriveByLink, nameVisit, readVisitPage, movePatientVisit, setLanguage } from './visit-actions.ts';

export function patientRoutes(app: FastifyInstance): void {
  route(app, patientCheckIn.readOfficeFront, (ctx, { params }) => readOfficeFront(ctx, params.npi));
  route(app, patientCheckIn.checkIn, (ctx, { params, body }) => checkIn(ctx, params.npi, body), {
    onRequest: visitorPace,
  });
  route(app, patientCheckIn.forgetVisit, (ctx, { params }) => forgetVisit(ctx, params.npi), { onRequest: visitorPace });
  route(app, patient.textVisitLink, (ctx) => textVisitLink(ctx));
  rawRoute(app, patient.readPatientVisit, answerVisit);
  route(app, patientMessages.writeToPractice, (ctx, { body }) => writeToPractice(ctx, body));
  route(app, patientMessages.noteWritingByPatient, (ctx) => noteWritingByPatient(ctx));
  route(app, patient.movePatientVisit, (ctx, { body }) => movePatientVisit(ctx, body.action));
  route(app, patient.arriveExpected, (ctx, { body }) => arriveByLink(ctx, body));
  route(app, patient.nameVisit, (ctx, { body }) => nameVisit(ctx, body));
  route(app, patient.setPatientLanguage, (ctx, { body }) => setLanguage(ctx, body.language));
}

/** Waiting phones poll this: 304 if nothing that the page shows has changed. */
async function answerVisit(req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { services } = req.server;
  const input = readInput(patient.readPatientVisit, req);
  const ctx = await contextFor(services, 'visit', req, reply);
  const conditional = conditionalRequest(ctx, patient.readPatientVisit, input, etagOf(req));
  const { etag, page } = await readVisitPage(ctx, { live: true, conditional });
  reply.header('etag', etag);
  if (page === null) return reply.code(304).send();
  return reply.send(services.env.production ? page : z.parse(patient.readPatientVisit.reply, page));
}
