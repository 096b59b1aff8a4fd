import type { EndedLink } from '#contract/ended-link.ts';
import type { FormUrl } from '#contract/forms/shapes.ts';
import type { SharedForms } from '#contract/sharing.ts';
import { systemActor, type AnyoneCtx, type OfficeScope } from '#server/context.ts';
import { linkToFile } from '#server/features/files/index.ts';
import { fileNameOf } from '#server/features/forms/index.ts';
import { hasNpi } from '#server/own-office-name.ts';
import { auditStatement } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { officeRow } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { findShare, openingStatement, shareOf, submittedOf, visitToShow, type ShareRow } from './sql.ts';

/** A school's office opens many links from one network. Guessing is hopeless anyway: a token has 192 bits. */
const perNetwork = { name: 'share-opens', points: 300, seconds: 3600 };

/** What a patient shared, for whoever has the link. Each view is stored for the patient to see. */
export async function readSharedForms(
  ctx: AnyoneCtx,
  request: { token: string; office?: string | undefined },
): Promise<SharedForms> {
  return openShare(ctx, request, async (tx, scope, share) => {
    const visit = await visitToShow(tx, scope.officeId, share.visitId);
    const forms = await submittedOf(tx, scope.officeId, share.visitId, share.submissionIds);
    await noteOpening(tx, ctx, scope, share, null);
    const office = await officeRow(tx, scope.officeId);
    // Only the family members whose forms are shared.
    const names = [...new Set(forms.map(({ patientName }) => patientName))];
    const first = `${visit.firstName} ${visit.lastName}`;
    return {
      checkin: {
        patientName: names.includes(first) ? first : (names[0] ?? ''),
        createdAt: (visit.arrivedAt ?? visit.createdAt).toISOString(),
        patientUserCode: visit.userCode,
        activePatients: names.map((name) => ({ name })),
      },
      officeName: office.name,
      officePhone: office.phone,
      timeZone: office.timeZone,
      forms: forms.map(({ id, formName, patientName, completedAt }) => ({
        submissionId: id,
        formName,
        patientName,
        completedAt: (completedAt ?? visit.createdAt).toISOString(),
      })),
      expiresAt: share.expiresAt.toISOString(),
    };
  });
}

/** A short-lived URL of one shared PDF. */
export async function openSharedForm(
  ctx: AnyoneCtx,
  request: { token: string; id: string; office?: string | undefined; as?: 'inline' | 'attachment' | undefined },
): Promise<FormUrl> {
  const { scope, share, form, timeZone } = await openShare(ctx, request, async (tx, scope, share) => {
    const forms = await submittedOf(tx, scope.officeId, share.visitId, share.submissionIds);
    const form = forms.find(({ id }) => id === request.id);
    if (!form) throw new Refusal('share_not_found');
    await noteOpening(tx, ctx, scope, share, form.id);
    return { scope, share, form, timeZone: (await officeRow(tx, scope.officeId)).timeZone };
  });
  return linkToFile(scope, form.objectKey ?? '', fileNameOf(form, timeZone), {
    disposition: request.as,
    shareId: share.id,
  });
}

/** Finds the link; refuses with 410 if it has ended. Saying so leaks nothing: only somebody who had the link knows its token. */
async function openShare<T>(
  ctx: AnyoneCtx,
  { token, office }: { token: string; office?: string | undefined },
  show: (tx: Tx, scope: OfficeScope, share: ShareRow) => Promise<T>,
): Promise<T> {
  await ctx.limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address));
  const found = await findShare(ctx.pool, hashToken(token));
  if (!found) throw new Refusal('share_not_found');
  const scope = ctx.inOffice(found.officeId, systemActor);
  return scope.transaction(async (tx) => {
    const share = await shareOf(tx, scope.officeId, found.id);
    if (office !== undefined && !(await hasNpi(tx, scope.officeId, office))) throw new Refusal('share_not_found');
    if (share.revokedAt !== null || share.expiresAt <= ctx.now()) {
      const { name, phone } = await officeRow(tx, scope.officeId);
      const hasExpired = share.revokedAt === null;
      throw new Refusal('share_over', { officeName: name, officePhone: phone, hasExpired } satisfies EndedLink);
    }
    return show(tx, scope, share);
  });
}

async function noteOpening(
  tx: Tx,
  { http }: AnyoneCtx,
  scope: OfficeScope,
  share: ShareRow,
  submissionId: string | null,
): Promise<void> {
  const opening = openingStatement(tx, {
    officeId: scope.officeId,
    id: scope.id(),
    shareId: share.id,
    submissionId,
    at: scope.now(),
    address: http.address,
    userAgent: http.userAgent,
  });
  const entry = auditStatement(tx, scope, {
    action: submissionId ? 'share.open-form' : 'share.open',
    subject: submissionId ?? share.id,
    details: { share: share.id, visit: share.visitId },
  });
  await runTogether(tx, {
    statements: [opening, entry],
    hints: [{ office: scope.officeId, visit: share.visitId, type: 'share' }],
  });
}
