import type { OfficeDetails } from '#contract/practice/details.ts';
import type { OfficeScope, PersonCtx } from '#server/context.ts';
import { hasRunningRequest, staffScope, cancelRunningRequest } from '#server/features/agreement/index.ts';
import { officeDetails, refuseInvalidDetails, saveOfficeDetails } from '#server/features/office/index.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/** The details an office registered; refuses once its agreement is signed, because then its settings show them. */
export async function unsignedDetails(ctx: PersonCtx) {
  return officeDetails(unsignedOffice(ctx));
}

/** Corrects the details. Cancels a running signature request first, because its document has the old details. */
export async function correctDetails(ctx: PersonCtx, details: OfficeDetails) {
  const scope = unsignedOffice(ctx);
  refuseInvalidDetails(ctx, details, await officeDetails(scope));
  await cancelRunningRequest(scope);
  return saveOfficeDetails({ ...scope, language: ctx.language }, details, async (tx, office) => {
    if (office.agreementSignedAt) throw new Refusal('agreement_signed');
    // A new request was started in the meantime.
    if (await hasRunningRequest(tx, office.id)) throw new Refusal('agreement_in_preparation');
  });
}

function unsignedOffice(ctx: PersonCtx): OfficeScope {
  const { office } = ctx.caller;
  if (!office) throw new Refusal('no_office');
  if (office.agreementSigned) throw new Refusal('agreement_signed');
  return staffScope(ctx, office.id);
}
