import type { FastifyInstance } from 'fastify';
import { queue, smsCheckin } from '#contract/index.ts';
import { rawRoute, route } from '#server/kit/http/route.ts';
import { versionedRoute } from '#server/kit/http/versioned-reply.ts';
import { HeldAnswers } from './held-answers.ts';
import { messagePatient } from './messages.ts';
import {
  addCheckin,
  correctCheckin,
  listExpected,
  listSmsCheckins,
  reinviteCheckin,
  resendCheckin,
  updateCheckin,
} from './sms-checkins.ts';
import { moveByStaff, readVisit } from './staff-moves.ts';
import { answerQueue, answerQueueChanges, listCheckedIn } from './read-queue.ts';

export function queueRoutes(app: FastifyInstance): void {
  const held = new HeldAnswers();
  rawRoute(app, queue.listQueue, (req, reply) => answerQueue(req, reply, held));
  rawRoute(app, queue.listQueueChanges, (req, reply) => answerQueueChanges(req, reply, held));
  route(app, queue.moveVisit, (ctx, { body }) => moveByStaff(ctx, body));
  route(app, queue.readVisit, (ctx, { params }) => readVisit(ctx, params.visitId));
  route(app, queue.messagePatient, (ctx, { params, body }) => messagePatient(ctx, params.userCode, body));
  versionedRoute(app, queue.listCheckedIn, (ctx, { params }, known) => listCheckedIn(ctx, params.npi, known));

  versionedRoute(app, smsCheckin.listSmsCheckins, (ctx, { params }, known) => listSmsCheckins(ctx, params, known));
  versionedRoute(app, smsCheckin.listSmsHistory, (ctx, { params: { officeId, date } }, known) =>
    listSmsCheckins(ctx, { officeId, historyOf: date }, known),
  );
  versionedRoute(app, smsCheckin.listExpected, (ctx, { params }, known) => listExpected(ctx, params.officeId, known));
  route(app, smsCheckin.resendCheckin, (ctx, { body }) => resendCheckin(ctx, body.id));
  route(app, smsCheckin.correctCheckin, (ctx, { body }) => correctCheckin(ctx, body));
  route(app, smsCheckin.addCheckin, (ctx, { body }) => addCheckin(ctx, body));
  route(app, smsCheckin.updateCheckin, (ctx, { body }) => updateCheckin(ctx, body));
  route(app, smsCheckin.reinviteCheckin, (ctx, { body }) => reinviteCheckin(ctx, body));
}
