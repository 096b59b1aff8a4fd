import type { Security } from '#contract/sign-in/second-ways.ts';
import type { OfficeCtx, PersonCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { lockIdleSessions } from '#server/session-lock.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { recoveryCodesLeft } from './authenticator-sql.ts';
import { googleEmailOf } from '#server/features/google/index.ts';
import {
  lockMinutesForUpdate,
  officeFacts,
  saveLockMinutes,
  setRequiresAuthenticator,
  findPerson,
} from '#server/features/sign-in/index.ts';
import { passkeysOf } from './passkey-sql.ts';
import { findPin } from './pin-sql.ts';
import { pinKeyHere } from './pin-key.ts';
import { requireRecentProof, provedUntil } from './proof.ts';

/** The caller's sign-in methods and their practice's requirements. */
export async function describeSecurity(ctx: PersonCtx): Promise<Security> {
  const { db } = ctx;
  const { personId, office } = ctx.caller;
  const pinKey = await pinKeyHere(ctx, ctx.caller);
  const [person, pin, passkeys, left, google, facts] = await Promise.all([
    findPerson(db, personId),
    pinKey && findPin(db, pinKey),
    passkeysOf(db, personId),
    recoveryCodesLeft(db, personId),
    googleEmailOf(db, personId),
    office && asOffice(db, office.id, (tx) => officeFacts(tx, office.id)),
  ]);
  return {
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt, synced }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      synced,
    })),
    pin: { since: pin?.setAt.toISOString() ?? null, possible: pinKey !== null },
    authenticator: { since: person.authenticatorAt?.toISOString() ?? null, recoveryCodesLeft: left },
    google: google ?? null,
    office: facts && {
      officeName: facts.name,
      requiresAuthenticator: facts.requiresAuthenticator,
      lockMinutes: facts.lockMinutes,
    },
    provedUntil: provedUntil(ctx)?.toISOString() ?? null,
  };
}

/** Sets whether everyone in the office must have an authenticator app. Only a person who has one may require it. */
export async function requireAuthenticator(ctx: OfficeCtx, required: boolean): Promise<Security> {
  const { personId } = requireRecentProof(ctx);
  const { authenticatorAt } = await findPerson(ctx.db, personId);
  if (required && authenticatorAt === null) throw new Refusal('authenticator_missing');
  await ctx.transaction(async (tx) => {
    if (!(await setRequiresAuthenticator(tx, ctx.officeId, required))) return;
    await writeAuditEntry(tx, ctx, {
      action: 'settings.change',
      subject: 'security',
      details: { changed: 'requiresAuthenticator', required },
    });
    await sendHint(tx, { office: ctx.officeId, type: 'settings' });
  });
  return describeSecurity(ctx);
}

/** Sets after how many idle minutes the office's panels lock. Panels that are locked stay locked. */
export async function setLockMinutes(ctx: OfficeCtx, minutes: number): Promise<Security> {
  requireRecentProof(ctx);
  await ctx.transaction(async (tx) => {
    const before = await lockMinutesForUpdate(tx, ctx.officeId);
    if (minutes === before) return;
    await lockIdleSessions(tx, ctx.officeId, ctx.now());
    await saveLockMinutes(tx, ctx.officeId, minutes);
    await writeAuditEntry(tx, ctx, {
      action: 'settings.change',
      subject: 'security',
      details: { changed: 'lockMinutes', minutes },
    });
    await sendHint(tx, { office: ctx.officeId, type: 'settings' });
  });
  return describeSecurity(ctx);
}
