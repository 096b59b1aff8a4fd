import type { FastifyInstance } from 'fastify';
import * as office from '#contract/practice/office.ts';
import {
  chatSettings,
  firstSteps,
  messageSettings,
  officeDetails as details,
  panels as screens,
  sms,
} from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { readChatSettings, saveChatSettings } from './chat-settings.ts';
import { config, publicConfig } from './public-config.ts';
import { officeDetails, saveOfficeDetails } from './office-details.ts';
import { readFirstSteps, saveFirstSteps } from './first-steps.ts';
import { readMessageSettings, saveMessageSettings } from './message-settings.ts';
import { panels, savePanels } from './panels.ts';
import { poster } from './poster.ts';
import { queueSettings, saveQueueSettings } from './queue-settings.ts';
import { saveSmsText } from './sms-text.ts';
import { officeByNpi, officeByUsername, userAccount } from './office-accounts.ts';

export function officeRoutes(app: FastifyInstance): void {
  route(app, office.readOfficeByNpi, (ctx, { params }) => officeByNpi(ctx, params.npi));
  route(app, office.readOfficeByUsername, (ctx, { params }) => officeByUsername(ctx, params.username));
  route(app, office.readOfficeNpi, async ({ caller }) => ({ npi: caller.office?.npi ?? null }));
  route(app, office.readUser, (ctx, { params }) => userAccount(ctx, params.username));
  route(app, office.readPublicConfig, (ctx) => publicConfig(ctx));
  route(app, office.readConfig, (ctx) => config(ctx));
  route(app, office.readQueueSettings, (ctx) => queueSettings(ctx));
  route(app, office.saveQueueSettings, (ctx, { body }) => saveQueueSettings(ctx, body));
  route(app, messageSettings.readMessageSettings, (ctx) => readMessageSettings(ctx));
  route(app, messageSettings.saveMessageSettings, (ctx, { body }) => saveMessageSettings(ctx, body));
  route(app, chatSettings.readChatSettings, (ctx) => readChatSettings(ctx));
  route(app, chatSettings.saveChatSettings, (ctx, { body }) => saveChatSettings(ctx, body));
  route(app, sms.saveSmsText, (ctx, { body }) => saveSmsText(ctx, body));
  route(app, details.readOfficeDetails, (ctx) => officeDetails(ctx));
  route(app, details.saveOfficeDetails, (ctx, { body }) => saveOfficeDetails(ctx, body));
  route(app, screens.readPanels, (ctx) => panels(ctx));
  route(app, screens.savePanels, (ctx, { body }) => savePanels(ctx, body));
  route(app, firstSteps.readFirstSteps, (ctx) => readFirstSteps(ctx));
  route(app, firstSteps.saveFirstSteps, (ctx, { body }) => saveFirstSteps(ctx, body));
  route(app, office.readPoster, (ctx) => poster(ctx));
}
