import { resendAfterSeconds } from '#contract/sign-in/code.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import type { Identifier } from './identifier.ts';
import { staffSignedInFrom } from './device-sql.ts';

/**
 * Whose codes and failures are counted together. Unknown devices ("stranger") share the counters of an identifier. A device where this
 * person signed in before, and a locked session, have their own, so that strangers cannot lock staff out or use up their code.
 */
export type Scope = 'stranger' | `device:${string}` | `session:${string}`;

export const strangerLimits = {
  pause: { name: 'code-pause', points: 1, seconds: resendAfterSeconds },
  perNetwork: { name: 'code-network', points: 20, seconds: 3600 },
  perStaffNetwork: { name: 'code-staff-network', points: 200, seconds: 3600 },
  perIdentifier: { name: 'code-identifier', points: 5, seconds: 3600 },
  /** The limit for all strangers together, against an attack from thousands of addresses. */
  all: { name: 'code-all', points: 1000, seconds: 600 },
};
const scopeLimit = { name: 'code-scope', points: 20, seconds: 3600 };

/** Demo codes protect nothing. All demo visitors share a few identifiers and often one network, so their limits are high. */
const demoLimits = {
  perNetwork: { name: 'code-network', points: 1000, seconds: 3600 },
  perIdentifier: { name: 'code-identifier', points: 500, seconds: 3600 },
  perScope: { name: 'code-scope', points: 500, seconds: 3600 },
};

/** How often a network may try codes, for all identifiers together. */
const tryLimits = {
  perNetwork: { name: 'code-tries', points: 60, seconds: 600 },
  perStaffNetwork: { name: 'code-staff-tries', points: 600, seconds: 600 },
  demo: { name: 'code-tries', points: 3000, seconds: 600 },
};

/** A network is a staff network if staff signed in from it within this many days. */
const staffNetworkDays = 7;

/**
 * Counts one code against the caller's limits, or refuses with the seconds to wait. Does the same work for known and unknown identifiers.
 * One limit after the other, the network's first: a refused network must take nothing from the limits of the identifier it asks for.
 * Returns how to give back what counts for the identifier, and whether the code counts in the day's budget of strangers.
 */
export async function takeCodeBudget(
  ctx: AnyoneCtx,
  { value }: Identifier,
  scope: Scope,
): Promise<{ giveBack: () => Promise<void>; isOfStranger: boolean }> {
  if (scope !== 'stranger') {
    const perScope = ctx.env.demo ? demoLimits.perScope : scopeLimit;
    await ctx.limits.take(perScope, scope);
    return { giveBack: () => ctx.limits.giveBack(perScope, scope), isOfStranger: false };
  }
  const fromStaffNetwork = await isStaffNetwork(ctx);
  const { perNetwork, perIdentifier } = ctx.env.demo ? demoLimits : strangerLimits;
  const network = fromStaffNetwork && !ctx.env.demo ? strangerLimits.perStaffNetwork : perNetwork;
  await ctx.limits.takeForNetwork(network, networkOfAddress(ctx.http.address));
  await ctx.limits.take(strangerLimits.all, 'all');
  await ctx.limits.take(strangerLimits.pause, value);
  await ctx.limits.take(perIdentifier, value);
  return { giveBack: () => ctx.limits.giveBack(perIdentifier, value), isOfStranger: !fromStaffNetwork };
}

/** Counts one try against the network's limit. A device where this person signed in before is limited by its codes only. */
export async function takeTryBudget(ctx: AnyoneCtx, scope: Scope): Promise<void> {
  if (scope !== 'stranger') return;
  const perNetwork = (await isStaffNetwork(ctx)) ? tryLimits.perStaffNetwork : tryLimits.perNetwork;
  await ctx.limits.takeForNetwork(ctx.env.demo ? tryLimits.demo : perNetwork, networkOfAddress(ctx.http.address));
}

function isStaffNetwork({ db, http, now }: AnyoneCtx): Promise<boolean> {
  const since = new Date(now().getTime() - staffNetworkDays * 86_400_000);
  return staffSignedInFrom(db, networkOfAddress(http.address), since);
}
