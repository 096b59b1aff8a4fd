import { shareHours, type Share } from '#contract/sharing.ts';
import type { OfficeCtx, VisitCtx } from '#server/context.ts';
import { entryOwnerFor } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { officeRow } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { endShareLink, insertShare, sharesOf, submittedOf, versionsOf, visitOfShare } from './sql.ts';

const perVisit = { name: 'share-links', points: 30, seconds: 3600 };

export async function listShares(ctx: VisitCtx, conditional: ConditionalRequest): Promise<VersionedReply<Share[]>> {
  const shares = await ctx.transaction(async (tx) =>
    sharesOf(tx, ctx.officeId, ctx.visitId, { madeWith: await entryOwnerFor(tx, ctx) }),
  );
  return versionedReply(shares, conditional);
}

/** Creates a link to submitted forms of this visit. Only its hash is stored, so its URL is returned just this once. */
export async function makeShare(
  ctx: VisitCtx,
  wish: { sharedWith: string; submissionIds: string[]; hours?: number | undefined },
): Promise<{ share: Share; url: string }> {
  await ctx.limits.take(perVisit, ctx.visitId);
  const token = newToken();
  const tokenHash = hashToken(token);
  const ids = [...new Set(wish.submissionIds)];
  return ctx.transaction(async (tx) => {
    const own = await entryOwnerFor(tx, ctx);
    const forms = await submittedOf(tx, ctx.officeId, ctx.visitId, ids, own);
    if (forms.length !== ids.length) throw new Refusal('form_not_found');
    const id = ctx.id();
    const at = ctx.now();
    await insertShare(tx, {
      officeId: ctx.officeId,
      id,
      visitId: ctx.visitId,
      tokenId: ctx.tokenId,
      tokenHash,
      sharedWith: wish.sharedWith.replace(/[\s\p{Cc}]+/gu, ' '),
      submissionIds: ids,
      createdAt: at,
      expiresAt: new Date(at.getTime() + (wish.hours ?? shareHours.default) * 3_600_000),
    });
    await writeAuditEntry(tx, ctx, {
      action: 'share.make',
      subject: id,
      details: { visit: ctx.visitId, forms: ids.length },
    });
    await sendHint(tx, { office: ctx.officeId, visit: ctx.visitId, type: 'share' });
    const { npi } = await officeRow(tx, ctx.officeId);
    const share = await readShare(tx, ctx.officeId, ctx.visitId, id);
    return { share, url: `${ctx.env.publicUrl}/forms/shared?office=${npi}&token=${token}` };
  });
}

/** Revokes a link; one that has already ended stays so. */
export async function revokeShare(ctx: VisitCtx, shareId: string): Promise<Share> {
  const { officeId, visitId } = ctx;
  return ctx.transaction(async (tx) => {
    const madeWith = await entryOwnerFor(tx, ctx);
    const [own] = await sharesOf(tx, officeId, visitId, { shareId, madeWith });
    if (!own) throw new Refusal('share_not_found');
    const endedLink = await endShareLink(tx, { officeId, visitId, id: shareId, at: ctx.now(), by: null });
    if (endedLink) await noteEnd(tx, ctx, visitId, shareId);
    return readShare(tx, officeId, visitId, shareId);
  });
}

/** The links that show a form, for the desk that has it open. An empty list discloses nothing about anybody. */
export async function listFormShares(
  ctx: OfficeCtx,
  key: string,
  conditional: ConditionalRequest,
): Promise<VersionedReply<Share[]>> {
  return ctx.transaction(async (tx) => {
    const { visitId, ids } = await versionsOf(tx, ctx.officeId, key);
    if (ids.length === 0) throw new Refusal('form_not_found');
    const shares = await sharesOf(tx, ctx.officeId, visitId, { showing: ids });
    return versionedReply(shares, conditional, {
      onSend: async () => shares.length > 0 && writeAuditEntry(tx, ctx, { action: 'share.read', subject: visitId }),
    });
  });
}

/** The desk revokes a patient's link, for example on the patient's request when the visit's page is gone. */
export async function endShare(ctx: OfficeCtx, shareId: string): Promise<Share> {
  const { officeId } = ctx;
  return ctx.transaction(async (tx) => {
    const visitId = await visitOfShare(tx, officeId, shareId);
    if (visitId === undefined) throw new Refusal('share_not_found');
    const endedLink = await endShareLink(tx, {
      officeId,
      visitId,
      id: shareId,
      at: ctx.now(),
      by: ctx.caller.personId,
    });
    if (endedLink) await noteEnd(tx, ctx, visitId, shareId);
    return readShare(tx, officeId, visitId, shareId);
  });
}

async function noteEnd(tx: Tx, ctx: VisitCtx | OfficeCtx, visitId: string, shareId: string): Promise<void> {
  await writeAuditEntry(tx, ctx, { action: 'share.revoke', subject: shareId, details: { visit: visitId } });
  await sendHint(tx, { office: ctx.officeId, visit: visitId, type: 'share' });
}

async function readShare(tx: Tx, officeId: string, visitId: string, shareId: string): Promise<Share> {
  const [share] = await sharesOf(tx, officeId, visitId, { shareId });
  if (!share) throw new Refusal('share_not_found');
  return share;
}
