import type { Hint } from '#web/kit/live.ts';

/**
 * When a panel rings for callbacks: at each hint that one was raised or got another reason. The number of open ones covers what a lost connection
 * missed; while hints arrive, a higher number was rung for already. Both answer true if the panel rings.
 */
export function createCallbackNews() {
  let openBefore: number | undefined;
  let hasRungByHint = false;
  return {
    hint({ type, arrived }: Hint): boolean {
      if (type === 'refetch') hasRungByHint = false;
      if (type !== 'callback' || !arrived) return false;
      hasRungByHint = true;
      return true;
    },
    count(open: number): boolean {
      const hasGrown = openBefore !== undefined && open > openBefore;
      openBefore = open;
      return hasGrown && !hasRungByHint;
    },
  };
}
