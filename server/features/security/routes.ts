import type { FastifyInstance } from 'fastify';
import { pin, secondWays } from '#contract/index.ts';
import { route } from '#server/kit/http/route.ts';
import {
  confirmAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
  startAuthenticator,
  unlockWithAuthenticator,
} from './authenticator.ts';
import { requestPasskey, requestUnlockPasskey, unlockWithPasskey, verifyPasskey } from './passkey-sign-in.ts';
import { addPasskey, removePasskey, startPasskey } from './passkeys.ts';
import { removePin, setPin, unlockWithPin } from './pins.ts';
import { requireAuthenticator, describeSecurity, setLockMinutes } from './security.ts';

export function securityRoutes(app: FastifyInstance): void {
  route(app, secondWays.readSecurity, (ctx) => describeSecurity(ctx));
  route(app, secondWays.startPasskey, (ctx) => startPasskey(ctx));
  route(app, secondWays.addPasskey, (ctx, { body }) => addPasskey(ctx, body));
  route(app, secondWays.removePasskey, (ctx, { params }) => removePasskey(ctx, params.passkeyId));
  route(app, secondWays.requestPasskey, (ctx) => requestPasskey(ctx));
  route(app, secondWays.verifyPasskey, (ctx, { body }) => verifyPasskey(ctx, body));
  route(app, secondWays.requestUnlockPasskey, (ctx) => requestUnlockPasskey(ctx));
  route(app, secondWays.unlockWithPasskey, (ctx, { body }) => unlockWithPasskey(ctx, body.response));
  route(app, pin.setPin, (ctx, { body }) => setPin(ctx, body.pin));
  route(app, pin.removePin, (ctx) => removePin(ctx));
  route(app, pin.unlockWithPin, (ctx, { body }) => unlockWithPin(ctx, body.pin));
  route(app, secondWays.startAuthenticator, (ctx) => startAuthenticator(ctx));
  route(app, secondWays.confirmAuthenticator, (ctx, { body }) => confirmAuthenticator(ctx, body.code));
  route(app, secondWays.renewRecoveryCodes, (ctx) => renewRecoveryCodes(ctx));
  route(app, secondWays.removeAuthenticator, (ctx) => removeAuthenticator(ctx));
  route(app, secondWays.unlockWithAuthenticator, (ctx, { body }) => unlockWithAuthenticator(ctx, body.code));
  route(app, secondWays.requireAuthenticator, (ctx, { body }) => requireAuthenticator(ctx, body.required));
  route(app, secondWays.setLockMinutes, (ctx, { body }) => setLockMinutes(ctx, body.minutes));
}
