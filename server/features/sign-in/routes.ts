import type { FastifyInstance } from 'fastify';
import { session, signIn } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import { describeSession, lockSession, savePreferences, signOut, stayActive } from './session.ts';
import { requestCode, verifyCode } from './sign-in-with-code.ts';
import { listDevices, signOutDevice, signOutEverywhere } from './signed-in-devices.ts';
import { refreshToken } from './refresh-token.ts';
import { requestUnlockCode, unlockWithCode } from './unlock.ts';

export function signInRoutes(app: FastifyInstance): void {
  route(app, signIn.requestCode, (ctx, { body }) => requestCode(ctx, body));
  route(app, signIn.verifyCode, (ctx, { body }) => verifyCode(ctx, body));
  route(app, session.readSession, (ctx) => describeSession(ctx, ctx.caller));
  route(app, session.signOut, (ctx) => signOut(ctx));
  route(app, session.savePreferences, (ctx, { body }) => savePreferences(ctx, body));
  route(app, session.stayActive, (ctx, { body }) => stayActive(ctx, body.secondsAgo));
  route(app, session.lockSession, (ctx) => lockSession(ctx));
  route(app, session.requestUnlockCode, (ctx) => requestUnlockCode(ctx));
  route(app, session.unlockSession, (ctx, { body }) => unlockWithCode(ctx, body.code));

  route(app, session.refreshSession, (ctx) => refreshToken(ctx));
  route(app, session.listDevices, (ctx) => listDevices(ctx));
  route(app, session.signOutDevice, (ctx, { params }) => signOutDevice(ctx, params.deviceId));
  route(app, session.signOutEverywhere, (ctx) => signOutEverywhere(ctx));
}
