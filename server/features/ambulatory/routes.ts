import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ambuCallbacks, ambuPatients, ambuSurveys, episode } from '#contract/index.ts';
import { maxSaveBytes, savePace } from '#server/features/forms/index.ts';
import { callerRoute, fileRoute, readInput, route } from '#server/kit/http/route.ts';
import { versionedRoute } from '#server/kit/http/versioned-reply.ts';
import { listCallbacks, moveCallback, raiseByDesk, readCallbackCount } from './callbacks.ts';
import { consentToEpisode, declineEpisode, readEpisode, requestCall, setEpisodeLanguage } from './episode-page.ts';
import { readPhoto, savePhoto } from './files.ts';
import { readSurvey, saveSurvey } from './fill-survey.ts';
import { invitePatient, listInvites, withdrawInvite } from './invites.ts';
import { listAmbuPatients, readAmbuPatient, saveAmbuNotes, searchAmbuPatients, setFollowUp } from './patients.ts';
import { addSurvey, changeSurvey, deleteSurvey, readSurveyPlan, saveAmbuSettings } from './plan.ts';
import { submitSurvey } from './submit-survey.ts';

export function ambulatoryRoutes(app: FastifyInstance): void {
  route(app, ambuPatients.invitePatient, (ctx, { body }) => invitePatient(ctx, body));
  route(app, ambuPatients.listInvites, (ctx) => listInvites(ctx));
  route(app, ambuPatients.withdrawInvite, (ctx, { params }) => withdrawInvite(ctx, params.phoneNumber));
  route(app, ambuPatients.listAmbuPatients, (ctx, { query }) => listAmbuPatients(ctx, query.status));
  versionedRoute(app, ambuPatients.searchAmbuPatients, (ctx, { body }, known) => searchAmbuPatients(ctx, body, known));
  versionedRoute(app, ambuPatients.readAmbuPatient, (ctx, { params }, known) => readAmbuPatient(ctx, params, known));
  route(app, ambuPatients.saveAmbuNotes, (ctx, { params, body }) => saveAmbuNotes(ctx, params, body));
  route(app, ambuPatients.setFollowUp, (ctx, { params, body }) => setFollowUp(ctx, params, body.active));

  versionedRoute(app, ambuCallbacks.listCallbacks, (ctx, { query }, known) => listCallbacks(ctx, query, known));
  versionedRoute(app, ambuCallbacks.readCallbackCount, (ctx, _input, known) => readCallbackCount(ctx, known));
  route(app, ambuCallbacks.raiseCallback, (ctx, { params }) => raiseByDesk(ctx, params));
  route(app, ambuCallbacks.moveCallback, (ctx, { params, body }) => moveCallback(ctx, params.id, body));

  route(app, ambuSurveys.readSurveyPlan, (ctx) => readSurveyPlan(ctx));
  route(app, ambuSurveys.addSurvey, (ctx, { body }) => addSurvey(ctx, body));
  route(app, ambuSurveys.changeSurvey, (ctx, { params, body }) => changeSurvey(ctx, params.id, body));
  route(app, ambuSurveys.deleteSurvey, (ctx, { query }) => deleteSurvey(ctx, query.id));
  route(app, ambuSurveys.saveAmbuSettings, (ctx, { body }) => saveAmbuSettings(ctx, body));

  versionedRoute(app, episode.readEpisode, (ctx, _input, known) => readEpisode(ctx, known));
  route(app, episode.consentToEpisode, (ctx, { body }) => consentToEpisode(ctx, body));
  route(app, episode.setEpisodeLanguage, (ctx, { body }) => setEpisodeLanguage(ctx, body.language));
  route(app, episode.declineEpisode, (ctx) => declineEpisode(ctx));
  route(app, episode.requestCall, (ctx) => requestCall(ctx));
  route(app, episode.readSurvey, (ctx, { params }) => readSurvey(ctx, params.surveyId));
  const saves = { onRequest: savePace, bodyLimit: maxSaveBytes, config: { tooLarge: 'answers_too_large' as const } };
  route(app, episode.saveSurvey, (ctx, { params, body }) => saveSurvey(ctx, params.surveyId, body), saves);
  route(app, episode.submitSurvey, (ctx, { params, body }) => submitSurvey(ctx, params.surveyId, body.version), {
    onRequest: savePace,
  });
  fileRoute(app, episode.readEpisodePhoto, (ctx, { params }) => readPhoto(ctx, params.fileId));
  void app.register(async (uploads) => photoRoute(uploads));
}

/** A picture is sent as raw bytes, which are not read until its episode is known. */
function photoRoute(uploads: FastifyInstance): void {
  uploads.removeAllContentTypeParsers();
  uploads.addContentTypeParser('*', (_req, body, done) => done(null, body));
  callerRoute(uploads, episode.uploadEpisodePhoto, async (ctx, req, reply) => {
    const { params, query: sent } = req;
    const { query } = readInput(episode.uploadEpisodePhoto, { params, query: sent, body: undefined });
    const length = Number(req.headers['content-length'] ?? 0);
    const upload = { body: req.body as Readable | undefined, length, address: req.ip };
    return reply.send(await savePhoto(ctx, query.kind ?? 'photo', upload));
  });
}
