import type { VisitorCtx } from '#server/context.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import type { Limit } from '#server/kit/http/rate-limits.ts';

interface VisitorLimits {
  perVisitor: Limit;
  perNetwork: Limit;
  perOffice?: Limit;
}

/** One limit after the other: a visitor who is refused must take nothing from the limits of others. */
export async function takeVisitorLimits(ctx: VisitorCtx, { perVisitor, perNetwork, perOffice }: VisitorLimits) {
  const { limits, officeId, visitorId } = ctx;
  await limits.take(perVisitor, `${officeId} ${visitorId}`);
  await limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address));
  if (perOffice) await limits.take(perOffice, officeId);
}
