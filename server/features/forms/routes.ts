import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { forms } from '#contract/index.ts';
import { contextFor } from '#server/kit/context.ts';
import { answerRefusal } from '#server/kit/problem.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { fileRoute, rawRoute, readInput, route } from '#server/kit/route.ts';
import { askForForm } from './asking.ts';
import { listVisitForms, readVisitForm, saveVisitForm } from './filling.ts';
import { bulkDownload, downloadForm, openVisitForm, readFormUrl } from './handing-out.ts';
import { listFormFiles, listFormPaths, listUserForms } from './lists.ts';
import { keepPhoto, showPhoto } from './photos.ts';
import { loadForm, readForm, readFormSettings, saveFormSettings } from './settings.ts';
import { submitVisitForm } from './submitting.ts';

export function formsRoutes(app: FastifyInstance): void {
  route(app, forms.listVisitForms, (ctx) => listVisitForms(ctx));
  route(app, forms.readVisitForm, (ctx, { params }) => readVisitForm(ctx, params));
  route(app, forms.saveVisitForm, (ctx, { params, body }) => saveVisitForm(ctx, params, body));
  route(app, forms.submitVisitForm, (ctx, { params, body }) => submitVisitForm(ctx, params, body.version));
  route(app, forms.openVisitForm, (ctx, { params }) => openVisitForm(ctx, params));
  fileRoute(app, forms.readFormPhoto, (ctx, { params }) => showPhoto(ctx, params.fileId));
  void app.register(async (uploads) => photoRoute(uploads));

  route(app, forms.listFormPaths, (ctx, { query }) => listFormPaths(ctx, query));
  route(app, forms.listUserForms, (ctx, { query }) => listUserForms(ctx, query));
  route(app, forms.listFormFiles, (ctx, { query }) => listFormFiles(ctx, query));
  route(app, forms.readFormUrl, (ctx, { query }) => readFormUrl(ctx, query));
  fileRoute(app, forms.downloadForm, (ctx, { query }) => downloadForm(ctx, query));
  fileRoute(app, forms.bulkDownloadForms, (ctx, { body }) => bulkDownload(ctx, body));
  route(app, forms.askForForm, (ctx, { params, body }) => askForForm(ctx, params.visitId, body.formType));

  route(app, forms.readFormSettings, (ctx) => readFormSettings(ctx));
  route(app, forms.saveFormSettings, (ctx, { body }) => saveFormSettings(ctx, body.forms));
  route(app, forms.loadForm, (ctx, { body }) => loadForm(ctx, body));
  route(app, forms.readForm, (ctx, { params }) => readForm(ctx, params.definitionId));
}

/** A picture comes as bytes, and is not read before it is known whose it is. */
function photoRoute(uploads: FastifyInstance): void {
  uploads.removeAllContentTypeParsers();
  uploads.addContentTypeParser('*', (_req, body, done) => done(null, body));
  rawRoute(uploads, forms.uploadFormPhoto, async (req, reply) => {
    const { house } = req.server;
    const ctx = await contextFor(house, 'visit', req, reply);
    try {
      const { query } = readInput(forms.uploadFormPhoto, { params: req.params, query: req.query, body: undefined });
      const length = Number(req.headers['content-length'] ?? 0);
      return reply.send(await keepPhoto(ctx, query.kind ?? 'photo', req.body as Readable | undefined, length));
    } catch (error) {
      if (error instanceof Refusal) return answerRefusal(reply, ctx, forms.uploadFormPhoto, error);
      throw error;
    }
  });
}
