import type { onRequestAsyncHookHandler } from 'fastify';
import { pictureMaxBytes } from '#contract/conversations/messages.ts';
import type { VisitorCtx } from '#server/context.ts';
import { isForm } from '#server/features/conversations/index.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { paceByBytes } from '#server/kit/http/pace-requests.ts';
import type { Limit } from '#server/kit/http/rate-limits.ts';

interface VisitorLimits {
  perVisitor: Limit;
  perVisitorHour?: Limit;
  perNetwork: Limit;
  /** What a network may do at one practice. */
  perNetworkHour?: Limit;
  perOffice?: Limit;
}

/** What the networks of one IPv6 /48, which one customer can have, may do, times what one of them may. */
const networksPerSite = 4;

/** One limit after the other: a visitor who is refused must take nothing from the limits of others. */
export async function takeVisitorLimits(
  ctx: VisitorCtx,
  { perVisitor, perVisitorHour = perVisitor, perNetwork, perNetworkHour, perOffice }: VisitorLimits,
): Promise<void> {
  const { limits, officeId, visitorId } = ctx;
  const visitor = `${officeId} ${visitorId}`;
  const network = networkOfAddress(ctx.http.address);
  await limits.takeEach([
    [perVisitor, visitor],
    [perVisitorHour, visitor],
  ]);
  await limits.takeForNetwork(perNetwork, network, { networksPerSite });
  if (perNetworkHour) await limits.takeForNetwork(perNetworkHour, network, { officeId, networksPerSite });
  if (perOffice) await limits.take(perOffice, officeId);
}

const bytePace = paceByBytes({
  bytesPerSecond: 1_000_000,
  burstBytes: 20_000_000,
  leastBytes: 50_000,
  mostBytes: pictureMaxBytes,
});

/** Spreads a network's pictures over time before they are received; texts pass. */
export const picturePace: onRequestAsyncHookHandler = async function (req, reply) {
  if (isForm(req)) await bytePace.call(this, req, reply);
};
