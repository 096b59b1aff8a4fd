/** The budgets that strangers share for a day (decision 0149). */
import type { Services } from '#server/context.ts';
import type { Env } from '#server/env.ts';
import { budgetOfDay, crossesWarning, type DailyBudget } from '#server/kit/http/daily-budgets.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/** Text segments of all practices that nobody has confirmed. */
export const unconfirmedTexts = ({ unconfirmedSegmentsPerDay }: Env): DailyBudget => ({
  name: 'day-unconfirmed-texts',
  points: unconfirmedSegmentsPerDay,
});

/**
 * Codes to people we do not know, each kind with a budget of its own, so that one cannot use up another: emails cost nothing, and a practice
 * that wants to be confirmed must not wait because strangers ask for codes to sign in.
 */
export type CodeKind = 'emailed' | 'texted' | 'confirmation' | 'chat';

/** A text counts its segments, an email one. */
const codes = (kind: CodeKind, { codesPerDay }: Env): DailyBudget => ({
  name: `day-${kind}-codes`,
  points: codesPerDay,
});

export const sharedBudgets = (env: Env): DailyBudget[] => [
  unconfirmedTexts(env),
  codes('emailed', env),
  codes('texted', env),
  codes('confirmation', env),
  codes('chat', env),
];

/** Takes points for one code; returns how to give them back when it was surely not sent. The demo, which sends nothing, counts nothing. */
export async function takeDailyCodes(
  { env, limits, log, now }: Pick<Services, 'env' | 'limits' | 'log' | 'now'>,
  kind: CodeKind,
  points: number,
): Promise<() => Promise<void>> {
  if (env.demo) return async () => undefined;
  const budget = codes(kind, env);
  const [limit, key] = budgetOfDay(budget, now());
  const used = await limits.takePoints(limit, key, points).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(kind === 'chat' ? 'no_chat_codes_now' : 'no_codes_now', undefined, error.retryAfterSeconds);
  });
  if (crossesWarning(budget, used, points))
    log.warn({ used, of: budget.points, kind }, 'codes: most of the day’s budget is used');
  return () => limits.giveBack(limit, key, points);
}

/** Returns what `ask` returns. If it fails, gives back first what was already taken for the same code. */
export async function orGiveBack<T>(ask: () => Promise<T>, giveBack: () => Promise<void>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    await giveBack();
    throw error;
  }
}
