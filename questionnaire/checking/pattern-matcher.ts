import type { StateMachine } from './pattern-states.ts';

/** Comparisons while one text is matched: states times characters at worst. 10⁶ take about 50 ms. */
const mostMatchSteps = 1_000_000;

/** Does the whole text fit? Follows all possible states at once, so the time is linear. Undefined after too many steps. */
export function match({ states, start, end }: StateMachine, text: string): boolean | undefined {
  const characters = [...text];
  let steps = 0;
  let current = new Set<number>();
  const enter = (first: number, into: Set<number>, position: number) => {
    const waiting = [first];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      steps += 1;
      const state = states[at];
      if (!state || into.has(at)) continue;
      if (state.edge && position !== (state.edge === 'start' ? 0 : characters.length)) continue;
      into.add(at);
      if (!state.test) waiting.push(...state.next);
    }
  };
  enter(start, current, 0);
  for (const [i, character] of characters.entries()) {
    const following = new Set<number>();
    for (const at of current) {
      const state = states[at];
      steps += state?.cost ?? 1;
      if (steps > mostMatchSteps) return undefined;
      if (state?.test?.(character)) for (const next of state.next) enter(next, following, i + 1);
    }
    if (following.size === 0) return false;
    current = following;
  }
  return current.has(end);
}
