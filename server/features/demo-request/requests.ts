import type { DemoRequest } from '#contract/demo-request.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { addRequest, hasRecentRequest } from './sql.ts';

export const perNetwork = { name: 'demo-network', points: 5, seconds: 3600 };
const everybody = { name: 'demo-all', points: 200, seconds: 3600 };

/** Stores a visitor's request; a job emails it to the operator. The same request twice on one day is stored once. */
export async function requestDemo(
  ctx: AnyoneCtx,
  { phone, wish, ...given }: DemoRequest,
): Promise<{ received: boolean }> {
  const number = phone ? usPhone(phone) : null;
  if (phone && number === null) throw new Refusal('invalid_phone');
  await ctx.limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address));
  await ctx.limits.take(everybody, 'all');
  const email = given.email.toLowerCase();
  const dayAgo = new Date(ctx.now().getTime() - 86_400_000);
  await ctx.db.transaction().execute(async (tx) => {
    if (await hasRecentRequest(tx, email, given.practice, dayAgo)) return;
    await addRequest(tx, {
      ...given,
      id: ctx.id(),
      email,
      phone: number,
      wish: wish || null,
      createdAt: ctx.now(),
    });
  });
  return { received: true };
}
