import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { formsDesk, formsFilling, formsSettings, privacyNotice } from '#contract/index.ts';
import { largeJson } from '#server/kit/http/json-bodies.ts';
import { callerRoute, fileRoute, readInput, route } from '#server/kit/http/route.ts';
import { versionedReply, versionedRoute } from '#server/kit/http/versioned-reply.ts';
import { askForForm } from './ask-for-form.ts';
import { saveFromPhone } from './save-form.ts';
import { listVisitForms, readVisitForm } from './visit-forms.ts';
import { downloadAnswers } from './download-answers.ts';
import { downloadBundle, downloadResponse, readExtractedValues } from './download-data.ts';
import { bulkDownload, downloadForm, openVisitForm, readFormUrl } from './download-forms.ts';
import { countForms, listFormFiles, listFormPaths, listUserForms } from './list-forms.ts';
import { savePhoto, readPhoto } from './photos.ts';
import { chooseFormVersion, loadForm, readForm } from './own-forms.ts';
import { maxSaveBytes, savePace } from './save-limits.ts';
import { readFormAnswers } from './read-answers.ts';
import { readPrivacyNotice, savePrivacyNotice } from './privacy-notice.ts';
import { readFormSettings, saveFormSettings } from './settings.ts';
import { readDelivery, sendForm } from './send-to-server.ts';
import { submitVisitForm } from './submit-form.ts';

export function formsRoutes(app: FastifyInstance): void {
  versionedRoute(app, formsFilling.listVisitForms, (ctx, _input, known) => listVisitForms(ctx, known));
  route(app, formsFilling.readVisitForm, (ctx, { params }) => readVisitForm(ctx, params));
  const saves = { onRequest: savePace, bodyLimit: maxSaveBytes, config: { tooLarge: 'answers_too_large' as const } };
  route(app, formsFilling.saveVisitForm, (ctx, { params, body }) => saveFromPhone(ctx, params, body), saves);
  route(app, formsFilling.submitVisitForm, (ctx, { params, body }) => submitVisitForm(ctx, params, body.version), {
    onRequest: savePace,
  });
  route(app, formsFilling.openVisitForm, (ctx, { params }) => openVisitForm(ctx, params));
  fileRoute(app, formsFilling.readFormPhoto, (ctx, { params }) => readPhoto(ctx, params.fileId));
  void app.register(async (uploads) => photoRoute(uploads));

  versionedRoute(app, formsDesk.listFormPaths, (ctx, { query }, known) => listFormPaths(ctx, query, known));
  versionedRoute(app, formsDesk.searchForms, (ctx, { body }, known) => listFormPaths(ctx, body, known));
  versionedRoute(app, formsDesk.countForms, (ctx, { body }, known) => countForms(ctx, body, known));
  route(app, formsDesk.listUserForms, (ctx, { query }) => listUserForms(ctx, query));
  route(app, formsDesk.listFormFiles, (ctx, { query }) => listFormFiles(ctx, query));
  route(app, formsDesk.readFormAnswers, (ctx, { query }) => readFormAnswers(ctx, query));
  route(app, formsDesk.readFormUrl, (ctx, { query }) => readFormUrl(ctx, query));
  fileRoute(app, formsDesk.downloadForm, (ctx, { query }) => downloadForm(ctx, query));
  fileRoute(app, formsDesk.downloadFormResponse, (ctx, { query }) => downloadResponse(ctx, query));
  versionedRoute(app, formsDesk.readFormDelivery, async (ctx, { query }, known) =>
    versionedReply(await readDelivery(ctx, query), known),
  );
  route(app, formsDesk.sendForm, (ctx, { body }) => sendForm(ctx, body));
  route(app, formsDesk.readExtractedValues, (ctx, { query }) => readExtractedValues(ctx, query));
  fileRoute(app, formsDesk.downloadFormBundle, (ctx, { query }) => downloadBundle(ctx, query));
  fileRoute(app, formsDesk.downloadAnswers, (ctx, { body }) => downloadAnswers(ctx, body));
  fileRoute(app, formsDesk.bulkDownloadForms, (ctx, { body }) => bulkDownload(ctx, body), largeJson(500_000));
  route(app, formsDesk.askForForm, (ctx, { params, body }) => askForForm(ctx, params.visitId, body.formType));

  route(app, privacyNotice.readPrivacyNotice, (ctx) => readPrivacyNotice(ctx));
  route(app, privacyNotice.savePrivacyNotice, (ctx, { body }) => savePrivacyNotice(ctx, body.url));
  route(app, formsSettings.readFormSettings, (ctx) => readFormSettings(ctx));
  route(app, formsSettings.saveFormSettings, (ctx, { body }) => saveFormSettings(ctx, body.forms));
  route(app, formsSettings.loadForm, (ctx, { body }) => loadForm(ctx, body), largeJson(1_500_000));
  route(app, formsSettings.readForm, (ctx, { params }) => readForm(ctx, params.definitionId));
  route(app, formsSettings.chooseFormVersion, (ctx, { params, body }) =>
    chooseFormVersion(ctx, params.formType, body.version),
  );
}

/** A picture is sent as raw bytes, which are not read until its visit is known. */
function photoRoute(uploads: FastifyInstance): void {
  uploads.removeAllContentTypeParsers();
  uploads.addContentTypeParser('*', (_req, body, done) => done(null, body));
  callerRoute(uploads, formsFilling.uploadFormPhoto, async (ctx, req, reply) => {
    const { params, query: sent } = req;
    const { query } = readInput(formsFilling.uploadFormPhoto, { params, query: sent, body: undefined });
    const length = Number(req.headers['content-length'] ?? 0);
    const upload = { body: req.body as Readable | undefined, length, address: req.ip };
    return reply.send(await savePhoto(ctx, query.kind ?? 'photo', upload));
  });
}
