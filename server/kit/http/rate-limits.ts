import { sql } from 'kysely';
import type pg from 'pg';
import type { Tx } from '#server/kit/db/db.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { siteOfNetwork } from './client-network.ts';
import { Refusal } from './refusal.ts';

/** `points` per `seconds`; `name` separates the limits. */
export interface Limit {
  name: string;
  points: number;
  seconds: number;
}

/** A limit, and whose it is. */
export type Budget = readonly [limit: Limit, key: string];

export interface Limits {
  /** Takes one point of `key`'s limit; throws `too_many_tries` with the seconds to wait if it is used up. */
  take(limit: Limit, key: string): Promise<void>;
  /** Takes one point of each limit, in one round trip; throws like `take` if any of them is used up. */
  takeEach(budgets: readonly Budget[]): Promise<void>;
  /**
   * Takes one point of the limit of a network (`networkOfAddress`) and of each other limit; then, for IPv6, one of the wider limit of its
   * /48, so that a network that is refused takes nothing from the others of its /48.
   */
  takeForNetwork(limit: Limit, network: string, rest?: NetworkBudgetRest): Promise<void>;
  /** Takes points of one limit and returns what is used then; throws like `take`. A refused take counts nothing. */
  takePoints(limit: Limit, key: string, points: number): Promise<number>;
  /** Gives back a point, or several, that was taken for work which this server then had no place for. */
  giveBack(limit: Limit, key: string, points?: number): Promise<void>;
}

interface NetworkBudgetRest {
  /** The office whose requests are counted; everybody's without it. */
  officeId?: string;
  /** What the networks of one /48 may do, times what one of them may. */
  networksPerSite?: number;
  others?: readonly Budget[];
}

/** The networks of one /48 together may do this many times what one of them may: a carrier's phones in a town share a /48. */
const usualNetworksPerSite = 32;

/** Fixed windows in PostgreSQL, shared by all processes; keys are stored hashed. Sorted, so that two callers cannot deadlock. */
const takePoints = `
  insert into rate_limit as r (key, points, expire)
  select key, 1, $1 + ms from unnest($2::text[], $3::bigint[]) as asked (key, ms) order by key
  on conflict (key) do update set
    points = case when r.expire <= $1 then 1 else r.points + 1 end,
    expire = case when r.expire <= $1 then excluded.expire else r.expire end
  returning key, points, expire`;

const takeSome = `
  insert into rate_limit as r (key, points, expire) values ($1, $2, $3)
  on conflict (key) do update set
    points = excluded.points + case when r.expire <= $4 then 0 else r.points end,
    expire = case when r.expire <= $4 then excluded.expire else r.expire end
  returning points, expire`;

const givePointsBack = 'update rate_limit set points = points - $3 where key = $1 and expire > $2 and points >= $3';

export function openLimits(pool: pg.Pool): Limits {
  const takeEach: Limits['takeEach'] = async (budgets) => {
    const limitOfKey = new Map(budgets.map(([limit, key]) => [rateLimitKey(limit, key), limit]));
    const now = Date.now();
    const { rows } = await pool.query<{ key: string; points: number; expire: number }>({
      name: 'take_points',
      text: takePoints,
      values: [now, [...limitOfKey.keys()], [...limitOfKey.values()].map(({ seconds }) => seconds * 1000)],
    });
    const usedUp = rows.filter(({ key, points }) => points > (limitOfKey.get(key)?.points ?? 0));
    if (usedUp.length > 0) {
      const waitMs = Math.max(...usedUp.map(({ expire }) => expire - now));
      throw new Refusal('too_many_tries', undefined, Math.max(1, Math.ceil(waitMs / 1000)));
    }
  };
  const takeForNetwork: Limits['takeForNetwork'] = async (
    limit,
    network,
    { officeId, networksPerSite, others = [] } = {},
  ) => {
    const keyOf = (part: string) => (officeId === undefined ? part : `${officeId} ${part}`);
    await takeEach([[limit, keyOf(network)], ...others]);
    const site = siteOfNetwork(network);
    if (site !== null) await takeEach([[siteLimit(limit, networksPerSite), keyOf(site)]]);
  };
  const giveBack: Limits['giveBack'] = async (limit, key, points = 1) => {
    const values = [rateLimitKey(limit, key), Date.now(), points];
    await pool.query({ name: 'give_points_back', text: givePointsBack, values });
  };
  const take: Limits['takePoints'] = async (limit, key, points) => {
    const now = Date.now();
    const values = [rateLimitKey(limit, key), points, now + limit.seconds * 1000, now];
    const { rows } = await pool.query<{ points: number; expire: number }>({
      name: 'take_some',
      text: takeSome,
      values,
    });
    const { points: used, expire } = rows[0] ?? { points: 0, expire: now };
    if (used <= limit.points) return used;
    await giveBack(limit, key, points);
    throw new Refusal('too_many_tries', undefined, Math.max(1, Math.ceil((expire - now) / 1000)));
  };
  return { take: (limit, key) => takeEach([[limit, key]]), takeEach, takeForNetwork, takePoints: take, giveBack };
}

const siteLimit = ({ name, points, seconds }: Limit, factor = usualNetworksPerSite): Limit => ({
  name: `${name}-site`,
  points: points * factor,
  seconds,
});

/** The budgets of a network for `takeInTransaction`: its own, and for IPv6 the `factor` times wider one of its /48. */
export function networkBudgets(limit: Limit, network: string, factor?: number): Budget[] {
  const site = siteOfNetwork(network);
  const budgets: Budget[] = [[limit, network]];
  if (site !== null) budgets.push([siteLimit(limit, factor), site]);
  return budgets;
}

/**
 * Takes a point of each budget, or as many as it says, in the caller's transaction: a rollback returns them, and each limit's row is locked
 * until it ends. Returns the limits that are used up with the seconds to wait, the longest wait first.
 */
export async function takeInTransaction(
  tx: Tx,
  now: Date,
  budgets: readonly (readonly [limit: Limit, key: string, points?: number])[],
): Promise<{ limit: Limit; key: string; seconds: number }[]> {
  const limits = new Map(budgets.map(([limit, key, points = 1]) => [rateLimitKey(limit, key), { limit, key, points }]));
  const values = [...limits.values()];
  const { rows } = await sql<{ key: string; expire: number }>`
    with wanted as (
      select * from unnest(
        ${[...limits.keys()]}::text[], ${values.map(({ limit }) => limit.seconds * 1000)}::bigint[],
        ${values.map(({ limit }) => limit.points)}::int[], ${values.map(({ points }) => points)}::int[]
      ) as asked (key, ms, allowed, more)
    ), taken as (
      insert into rate_limit as r (key, points, expire)
      select key, more, ${now.getTime()}::bigint + ms from wanted order by key
      on conflict (key) do update set
        points = excluded.points + case when r.expire <= ${now.getTime()}::bigint then 0 else r.points end,
        expire = case when r.expire <= ${now.getTime()}::bigint then excluded.expire else r.expire end
      returning key, points, expire
    )
    select key, expire from taken join wanted using (key) where points > allowed`.execute(tx);
  return rows
    .sort((a, b) => b.expire - a.expire)
    .map(({ key, expire }) => ({
      ...(limits.get(key) as { limit: Limit; key: string }),
      seconds: Math.max(1, Math.ceil((expire - now.getTime()) / 1000)),
    }));
}

export const rateLimitKey = ({ name }: Limit, key: string) => `${name}:${hashToken(key).toString('base64url')}`;

/** Deletes windows that have passed. */
export async function forgetLimits(pool: pg.Pool): Promise<void> {
  await pool.query('delete from rate_limit where expire <= $1', [Date.now()]);
}
