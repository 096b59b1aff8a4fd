import type { State, StateMachine } from './pattern-states.ts';

/** Comparisons while one text is matched: states times characters at worst. 10⁶ take about 50 ms. */
const mostMatchSteps = 1_000_000;

/**
 * Does the whole text fit? Follows all possible states at once, so the time is linear. Undefined after too many steps. What a person sees as one
 * character (a joined emoji, a letter with its accent) may count as one, if each of its code points passes, or as its code points.
 */
export function match({ states, start, end }: StateMachine, text: string): boolean | undefined {
  const characters = [...text];
  const endOf = joinedCharacters(text);
  let steps = 0;
  const reached: (Set<number> | undefined)[] = [new Set()];
  const enter = (first: number, position: number) => {
    const into = (reached[position] ??= new Set());
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
  enter(start, 0);
  for (const [i, character] of characters.entries()) {
    const joined = endOf.get(i);
    for (const at of reached[i] ?? []) {
      const { test, cost = 1, next } = states[at] as State;
      steps += cost;
      if (steps > mostMatchSteps) return undefined;
      if (!test?.(character)) continue;
      for (const one of next) enter(one, i + 1);
      if (joined === undefined) continue;
      steps += cost * (joined - i);
      if (characters.slice(i + 1, joined).every(test)) for (const one of next) enter(one, joined);
    }
    reached[i] = undefined;
    if (reached.length <= i + 1) return false;
  }
  return reached[characters.length]?.has(end) ?? false;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Where each character that is made of several code points begins and ends, counted in code points. */
function joinedCharacters(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  if (/^[\x20-\x7e]*$/.test(text)) return ends;
  let at = 0;
  for (const { segment } of segmenter.segment(text)) {
    const begin = at;
    at += [...segment].length;
    if (at - begin > 1) ends.set(begin, at);
  }
  return ends;
}
