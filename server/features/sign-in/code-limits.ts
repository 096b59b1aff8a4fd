import { resendAfterSeconds } from '#contract/sign-in/code.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { networkOf } from '#server/kit/http/client-network.ts';
import type { Identifier } from './identifier.ts';
import { staffSignedInFrom } from './device-sql.ts';

/**
 * Who asks for a code and may try it. A stranger's codes and failures are counted for the identifier; a device where this person
 * signed in before and a locked session have their own, so that strangers cannot lock staff out or use up their code.
 */
export type Scope = 'stranger' | `device:${string}` | `session:${string}`;

export const strangers = {
  pause: { name: 'code-pause', points: 1, seconds: resendAfterSeconds },
  perNetwork: { name: 'code-network', points: 20, seconds: 3600 },
  perStaffNetwork: { name: 'code-staff-network', points: 200, seconds: 3600 },
  perIdentifier: { name: 'code-identifier', points: 5, seconds: 3600 },
  /** The brake on everybody together, for the day somebody rents ten thousand addresses. */
  all: { name: 'code-all', points: 1000, seconds: 600 },
};
const perScope = { name: 'code-scope', points: 20, seconds: 3600 };

/** The demo's codes protect nothing, and all its visitors share a few identifiers and often one network: they must not run out. */
const demo = {
  perNetwork: { name: 'code-network', points: 1000, seconds: 3600 },
  perIdentifier: { name: 'code-identifier', points: 500, seconds: 3600 },
  perScope: { name: 'code-scope', points: 500, seconds: 3600 },
};

/** How often a network may try codes, whosever they are. */
const tries = {
  perNetwork: { name: 'code-tries', points: 60, seconds: 600 },
  perStaffNetwork: { name: 'code-staff-tries', points: 600, seconds: 600 },
  demo: { name: 'code-tries', points: 3000, seconds: 600 },
};

/** An address where staff signed in within these days counts as theirs. */
const staffNetworkDays = 7;

/** Takes one code out of the asker's budget, or refuses with the seconds to wait. The same work for known and unknown identifiers. */
export async function takeCodeBudget(ctx: AnyoneCtx, { value }: Identifier, scope: Scope): Promise<void> {
  if (scope !== 'stranger') return ctx.limits.take(ctx.env.demo ? demo.perScope : perScope, scope);
  const isStaffs = await isStaffNetwork(ctx);
  const { perNetwork, perIdentifier } = ctx.env.demo ? demo : strangers;
  await ctx.limits.take(strangers.pause, value);
  const network = isStaffs && !ctx.env.demo ? strangers.perStaffNetwork : perNetwork;
  await ctx.limits.take(network, networkOf(ctx.http.address));
  await ctx.limits.take(perIdentifier, value);
  await ctx.limits.take(strangers.all, 'all');
}

/** Takes one try out of the network's budget. A device where this person signed in before has the limit of its codes alone. */
export async function takeTryBudget(ctx: AnyoneCtx, scope: Scope): Promise<void> {
  if (scope !== 'stranger') return;
  const perNetwork = (await isStaffNetwork(ctx)) ? tries.perStaffNetwork : tries.perNetwork;
  await ctx.limits.take(ctx.env.demo ? tries.demo : perNetwork, networkOf(ctx.http.address));
}

function isStaffNetwork({ db, http, now }: AnyoneCtx): Promise<boolean> {
  const since = new Date(now().getTime() - staffNetworkDays * 86_400_000);
  return staffSignedInFrom(db, http.address, since);
}
