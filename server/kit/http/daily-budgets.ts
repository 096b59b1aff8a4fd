/**
 * Budgets that everybody of a kind shares for a day (UTC), such as the texts of all practices that nobody has confirmed: what a stranger can
 * cost us, however many practices or numbers they have (decision 0149). Counted in `rate_limit` like the other limits.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Tx } from '#server/kit/db/db.ts';
import { rateLimitKey, type Budget, type Limit } from './rate-limits.ts';

export interface DailyBudget {
  name: string;
  /** What may be used of it in a day. */
  points: number;
}

const dayMs = 86_400_000;
/** A warning is logged when this part of a budget is used. */
export const warnedShare = 0.8;
/**
 * Whoever takes some in a transaction keeps its row locked until the commit. So a budget has several rows; those of one office are always in
 * the same one, because other limits let an office's texts wait for one another anyway.
 */
const slots = 8;

const dayNumber = (now: Date) => Math.floor(now.getTime() / dayMs);
const secondsLeft = (now: Date) => Math.ceil(((dayNumber(now) + 1) * dayMs - now.getTime()) / 1000);
export const slotOf = (officeId: string) => (createHash('sha256').update(officeId).digest()[0] ?? 0) % slots;

/** A budget as the limit of a single row, for whoever takes it outside a transaction. */
export function budgetOfDay({ name, points }: DailyBudget, now: Date): Budget {
  const limit: Limit = { name, points, seconds: secondsLeft(now) };
  return [limit, String(dayNumber(now))];
}

const keysOf = ({ name, points }: DailyBudget, now: Date): string[] => {
  const limit = { name, points, seconds: 0 };
  return [
    rateLimitKey(limit, String(dayNumber(now))),
    ...Array.from({ length: slots }, (_, i) => slotKey(limit, now, i)),
  ];
};
const slotKey = (limit: Limit, now: Date, slot: number) => rateLimitKey(limit, `${dayNumber(now)} ${slot}`);

/**
 * Takes points for an office in the caller's transaction: a rollback returns them. Returns what is used then, and the seconds to wait if that
 * is too much. The sum is read after the office's own row is locked, so at most one transaction for each other row is missing in it: together
 * they can exceed the budget by the texts of seven transactions, not by more.
 */
export async function takeDailyBudget(
  tx: Tx,
  now: Date,
  budget: DailyBudget,
  { officeId, points }: { officeId: string; points: number },
): Promise<{ used: number; seconds: number | null }> {
  const limit = { name: budget.name, points: budget.points, seconds: secondsLeft(now) };
  const at = now.getTime();
  await sql`
    insert into rate_limit as r (key, points, expire)
    values (${slotKey(limit, now, slotOf(officeId))}, ${points}, ${at + limit.seconds * 1000}::bigint)
    on conflict (key) do update set points = r.points + excluded.points`.execute(tx);
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(points), 0)::int as used from rate_limit where key = any(${keysOf(budget, now)}::text[])`.execute(
    tx,
  );
  const used = rows[0]?.used ?? 0;
  return { used, seconds: used > budget.points ? limit.seconds : null };
}

/** Whether this take is the one with which the warned share of a budget was reached. */
export const crossesWarning = ({ points: all }: DailyBudget, used: number, points: number): boolean =>
  used >= all * warnedShare && used - points < all * warnedShare;

/** How much of each budget is used today. */
export async function usedToday(pool: pg.Pool, now: Date, budgets: readonly DailyBudget[]): Promise<number[]> {
  const keys = budgets.map((budget) => keysOf(budget, now));
  const { rows } = await pool.query<{ key: string; points: number }>({
    name: 'used_today',
    text: 'select key, points from rate_limit where key = any($1::text[])',
    values: [keys.flat()],
  });
  return keys.map((own) => rows.filter(({ key }) => own.includes(key)).reduce((sum, { points }) => sum + points, 0));
}
