import type { RequestableFeature } from '#contract/feature-requests.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { mailRequests } from './mail-requests.ts';
import { addRequest, requestsOf } from './sql.ts';

interface FeatureRequests {
  requested: RequestableFeature[];
}

/** The features that the caller has asked for. */
export async function readFeatureRequests(ctx: OfficeCtx): Promise<FeatureRequests> {
  return { requested: await ctx.transaction((tx) => requestsOf(tx, ctx.officeId, ctx.caller.personId)) };
}

/** Stores the caller's request, once, and emails it to the operator. A job retries an email that fails. */
export async function requestFeature(ctx: OfficeCtx, feature: RequestableFeature): Promise<FeatureRequests> {
  const { officeId } = ctx;
  const { personId } = ctx.caller;
  const isNew = await ctx.transaction(async (tx) => {
    const added = await addRequest(tx, { officeId, id: ctx.id(), personId, feature, createdAt: ctx.now() });
    if (added) await writeAuditEntry(tx, ctx, { action: 'feature.request', details: { feature } });
    return added;
  });
  if (isNew) await mailRequests(ctx);
  return readFeatureRequests(ctx);
}
