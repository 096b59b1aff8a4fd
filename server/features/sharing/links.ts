import { shareHours, type Share } from '#contract/sharing.ts';
import type { VisitCtx } from '#server/ctx.ts';
import { record } from '#server/kit/audit.ts';
import { officeRow } from '#server/kit/office-row.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { hashToken, newToken } from '#server/kit/secret.ts';
import { sharesOf, submittedOf } from './sql.ts';

const perVisit = { name: 'share-links', points: 30, seconds: 3600 };

export async function listShares(ctx: VisitCtx): Promise<Share[]> {
  return ctx.transaction((tx) => sharesOf(tx, ctx.officeId, ctx.visitId));
}

/** Makes a link to submitted forms of this visit. Only its hash is kept, so its address is told this once. */
export async function makeShare(
  ctx: VisitCtx,
  wish: { sharedWith: string; submissionIds: string[]; hours?: number | undefined },
): Promise<{ share: Share; url: string }> {
  await ctx.limits.take(perVisit, ctx.visitId);
  const token = newToken();
  const ids = [...new Set(wish.submissionIds)];
  return ctx.transaction(async (tx) => {
    const forms = await submittedOf(tx, ctx.officeId, ctx.visitId, ids);
    if (forms.length !== ids.length) throw new Refusal('form_not_found');
    const id = ctx.id();
    const at = ctx.now();
    await tx
      .insertInto('shareLink')
      .values({
        officeId: ctx.officeId,
        id,
        visitId: ctx.visitId,
        tokenHash: hashToken(token),
        sharedWith: wish.sharedWith.replace(/[\s\p{Cc}]+/gu, ' '),
        submissionIds: ids,
        createdAt: at,
        expiresAt: new Date(at.getTime() + (wish.hours ?? shareHours.default) * 3_600_000),
      })
      .execute();
    await record(tx, ctx, { action: 'share.make', subject: id, details: { visit: ctx.visitId, forms: ids.length } });
    const { npi } = await officeRow(tx, ctx.officeId);
    const [share] = await sharesOf(tx, ctx.officeId, ctx.visitId, id);
    if (!share) throw new Error('a share that was just made is gone');
    return { share, url: `${ctx.env.publicUrl}/forms/shared?office=${npi}&token=${token}` };
  });
}

/** Takes a link back. One that is over already stays over. */
export async function revokeShare(ctx: VisitCtx, shareId: string): Promise<Share> {
  return ctx.transaction(async (tx) => {
    const taken = await tx
      .updateTable('shareLink')
      .set({ revokedAt: ctx.now() })
      .where('officeId', '=', ctx.officeId)
      .where('visitId', '=', ctx.visitId)
      .where('id', '=', shareId)
      .where('revokedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (taken) await record(tx, ctx, { action: 'share.revoke', subject: shareId });
    const [share] = await sharesOf(tx, ctx.officeId, ctx.visitId, shareId);
    if (!share) throw new Refusal('share_not_found');
    return share;
  });
}
