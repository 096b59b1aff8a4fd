import type { OfficeDetails } from '#contract/practice/details.ts';
import type { OfficeScope, PersonCtx } from '#server/context.ts';
import { hasRunningRequest, staffScope, cancelRunningRequest } from '#server/features/agreement/index.ts';
import { officeDetails, refuseWrong, saveOfficeDetails } from '#server/features/office/index.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/** What an office registered, as long as its agreement is not signed; afterwards its settings show it. */
export async function unsignedDetails(ctx: PersonCtx) {
  return officeDetails(unsignedOffice(ctx));
}

/** Corrects it. The agreement that names the office as it was is taken back first, so that nobody signs a slip of the pen. */
export async function correctDetails(ctx: PersonCtx, given: OfficeDetails) {
  const scope = unsignedOffice(ctx);
  refuseWrong(ctx, given, await officeDetails(scope));
  await cancelRunningRequest(scope);
  return saveOfficeDetails({ ...scope, language: ctx.language }, given, async (tx, office) => {
    if (office.agreementSignedAt) throw new Refusal('agreement_signed');
    // Somebody asked for it anew in between.
    if (await hasRunningRequest(tx, office.id)) throw new Refusal('agreement_in_preparation');
  });
}

function unsignedOffice(ctx: PersonCtx): OfficeScope {
  const { office } = ctx.caller;
  if (!office) throw new Refusal('no_office');
  if (office.agreementSigned) throw new Refusal('agreement_signed');
  return staffScope(ctx, office.id);
}
