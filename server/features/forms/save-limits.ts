import type { VisitCtx } from '#server/context.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { paceByBytes } from '#server/kit/http/pace-requests.ts';
import type { Budget } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/** Enough for our longest form with every answer at its longest; photos are uploaded separately. */
export const maxSaveBytes = 200_000;
export const mostKeys = 2_000;

/** A phone saves a second after the last change and on every page; an hour of steady typing stays below it. */
const perVisit = { name: 'form-saves', points: 300, seconds: 3600 };
/** All phones in a waiting room may share the practice's network. */
const perNetwork = { name: 'form-saves-network', points: 1_500, seconds: 3600 };

/** 25 small saves per second from one network, or one of 200 kB. */
export const savePace = paceByBytes({
  bytesPerSecond: 250_000,
  burstBytes: 500_000,
  leastBytes: 10_000,
  mostBytes: maxSaveBytes,
});

/** Counts one save against the hourly limits of the visit and the network, and refuses more answers than any form has. */
export async function limitSave(ctx: VisitCtx, answers: Record<string, unknown>): Promise<void> {
  const others: Budget[] = [[perVisit, ctx.visitId]];
  await ctx.limits
    .takeForNetwork(perNetwork, networkOfAddress(ctx.http.address), { others })
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'too_many_tries')
        throw new Refusal('too_many_saves', undefined, error.retryAfterSeconds);
      throw error;
    });
  if (Object.keys(answers).length > mostKeys) throw new Refusal('answers_too_large');
}
