import type { FastifyInstance } from 'fastify';
import { google, secondWays, session, signIn } from '#contract/index.ts';
import { route } from '#server/kit/route.ts';
import {
  confirmAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
  startAuthenticator,
  unlockWithAuthenticator,
} from './authenticator.ts';
import { finishGoogle, startGoogle } from './google.ts';
import { requestPasskey, requestUnlockPasskey, unlockWithPasskey, verifyPasskey } from './passkey-sign-in.ts';
import { addPasskey, removePasskey, startPasskey } from './passkeys.ts';
import { requireAuthenticator, security, setLockMinutes } from './security.ts';
import { describeSession, lock, savePreferences, signOut, stayActive } from './session.ts';
import { requestCode, verifyCode } from './sign-in.ts';
import { signedInDevices, signOutDevice, signOutEverywhere } from './signed-in.ts';
import { refresh } from './token.ts';
import { requestUnlockCode, unlock } from './unlock.ts';

export function signInRoutes(app: FastifyInstance): void {
  route(app, signIn.requestCode, (ctx, { body }) => requestCode(ctx, body));
  route(app, signIn.verifyCode, (ctx, { body }) => verifyCode(ctx, body));
  route(app, signIn.readSession, (ctx) => describeSession(ctx, ctx.caller));
  route(app, signIn.signOut, (ctx) => signOut(ctx));
  route(app, signIn.savePreferences, (ctx, { body }) => savePreferences(ctx, body));
  route(app, signIn.stayActive, (ctx, { body }) => stayActive(ctx, body.secondsAgo));
  route(app, signIn.lockSession, (ctx) => lock(ctx));
  route(app, signIn.requestUnlockCode, (ctx) => requestUnlockCode(ctx));
  route(app, signIn.unlockSession, (ctx, { body }) => unlock(ctx, body.code));

  route(app, google.startGoogle, (ctx) => startGoogle(ctx));
  route(app, google.finishGoogle, (ctx, { body }) => finishGoogle(ctx, body.search));

  route(app, session.refreshSession, (ctx) => refresh(ctx));
  route(app, session.listDevices, (ctx) => signedInDevices(ctx));
  route(app, session.signOutDevice, (ctx, { params }) => signOutDevice(ctx, params.deviceId));
  route(app, session.signOutEverywhere, (ctx) => signOutEverywhere(ctx));

  route(app, secondWays.readSecurity, (ctx) => security(ctx));
  route(app, secondWays.startPasskey, (ctx) => startPasskey(ctx));
  route(app, secondWays.addPasskey, (ctx, { body }) => addPasskey(ctx, body));
  route(app, secondWays.removePasskey, (ctx, { params }) => removePasskey(ctx, params.passkeyId));
  route(app, secondWays.requestPasskey, (ctx) => requestPasskey(ctx));
  route(app, secondWays.verifyPasskey, (ctx, { body }) => verifyPasskey(ctx, body));
  route(app, secondWays.requestUnlockPasskey, (ctx) => requestUnlockPasskey(ctx));
  route(app, secondWays.unlockWithPasskey, (ctx, { body }) => unlockWithPasskey(ctx, body.response));
  route(app, secondWays.startAuthenticator, (ctx) => startAuthenticator(ctx));
  route(app, secondWays.confirmAuthenticator, (ctx, { body }) => confirmAuthenticator(ctx, body.code));
  route(app, secondWays.renewRecoveryCodes, (ctx) => renewRecoveryCodes(ctx));
  route(app, secondWays.removeAuthenticator, (ctx) => removeAuthenticator(ctx));
  route(app, secondWays.unlockWithAuthenticator, (ctx, { body }) => unlockWithAuthenticator(ctx, body.code));
  route(app, secondWays.requireAuthenticator, (ctx, { body }) => requireAuthenticator(ctx, body.required));
  route(app, secondWays.setLockMinutes, (ctx, { body }) => setLockMinutes(ctx, body.minutes));
}
