import type { Agreement, AgreementStatus } from '#contract/agreement.ts';
import type { OfficeScope, PersonCtx } from '#server/context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeRow } from '#server/office-row.ts';
import { latestAgreement, signedAgreement, type AgreementRow } from './sql.ts';
import { currentVersion } from './template.ts';

/** The status of the agreement of the caller's office, without asking the provider. */
export async function readStatus(ctx: PersonCtx): Promise<AgreementStatus> {
  const { office } = ctx.caller;
  if (!office) throw new Refusal('no_office');
  return statusOf(staffScope(ctx, office.id));
}

/** The scope for work in one of the caller's offices, signed or not. */
export function staffScope(ctx: PersonCtx, officeId: string): OfficeScope {
  return ctx.inOffice(officeId, { kind: 'staff', id: ctx.caller.personId, name: ctx.caller.personName });
}

export function statusOf(scope: OfficeScope): Promise<AgreementStatus> {
  return scope.transaction(async (tx) => {
    const office = await officeRow(tx, scope.officeId);
    const signed = office.agreementSignedAt ? await signedAgreement(tx, scope.officeId) : undefined;
    const latest = signed ?? (await latestAgreement(tx, scope.officeId));
    return {
      officeId: office.id,
      officeName: office.name,
      hellosignComplete: office.agreementSignedAt !== null,
      signedAt: office.agreementSignedAt?.toISOString() ?? null,
      currentVersion,
      agreement: latest ? toAgreement(latest) : null,
      esign: scope.providers.esign.name,
    };
  });
}

const iso = (at: Date | null) => at?.toISOString() ?? null;

function toAgreement(row: AgreementRow): Agreement {
  const { id, version, state, signerName, signerEmail, declineReason, fileSha256, fileBytes } = row;
  return {
    id,
    version,
    state,
    signerName,
    signerEmail,
    declineReason,
    askedAt: row.askedAt.toISOString(),
    viewedAt: iso(row.viewedAt),
    signedAt: iso(row.signedAt),
    endedAt: iso(row.endedAt),
    file: fileSha256 !== null && fileBytes !== null ? { sha256: fileSha256, bytes: fileBytes } : null,
  };
}
