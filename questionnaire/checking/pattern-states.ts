import type { CharacterTest } from './pattern-characters.ts';

/** A state takes a character that passes `test` and goes on to `next`. Without a test it goes to all of `next` at once. */
export interface State {
  test?: CharacterTest;
  /** How many comparisons the test makes: one for each member of a set. */
  cost?: number;
  edge?: 'start' | 'end';
  next: number[];
}

/** A nondeterministic finite automaton. */
export interface StateMachine {
  states: State[];
  start: number;
  /** The state in which the whole text fits. */
  end: number;
  /** How many steps it took to build it. */
  steps: number;
}

/** A part of a pattern: adds its states, which go on to the state `then`, and returns the first of them. */
export type PatternPart = (machine: StateMachine, then: number) => number;

const mostStates = 4000;
/** Nested counts multiply (`((a{99}){99}){99}`), also where they add no state. So the building steps are counted too. */
const mostBuildSteps = 20_000;

/** The pattern needs too many states, or too many steps to build them. */
export class TooLarge extends Error {}

export function buildStates(pattern: PatternPart): StateMachine {
  const machine: StateMachine = { states: [{ next: [] }], start: 0, end: 0, steps: 0 };
  machine.start = build(machine, pattern, machine.end);
  return machine;
}

function add({ states }: StateMachine, state: State): number {
  if (states.push(state) > mostStates) throw new TooLarge();
  return states.length - 1;
}

function build(machine: StateMachine, part: PatternPart, then: number): number {
  if (++machine.steps > mostBuildSteps) throw new TooLarge();
  return part(machine, then);
}

export const oneCharacter =
  (test: CharacterTest, cost = 1): PatternPart =>
  (machine, then) =>
    add(machine, { test, cost, next: [then] });

export const atEdge =
  (edge: 'start' | 'end'): PatternPart =>
  (machine, then) =>
    add(machine, { edge, next: [then] });

export const inSequence =
  (parts: readonly PatternPart[]): PatternPart =>
  (machine, then) =>
    parts.reduceRight((after, part) => build(machine, part, after), then);

export const anyOf =
  (branches: readonly PatternPart[]): PatternPart =>
  (machine, then) =>
    add(machine, { next: branches.map((branch) => build(machine, branch, then)) });

export const manyOf =
  (part: PatternPart, least: number, most: number): PatternPart =>
  (machine, then) => {
    const once = (after: number) => {
      const start = build(machine, part, after);
      // An empty group takes nothing, however often it is repeated: only an attack has that.
      if (start === after) throw new TooLarge();
      return start;
    };
    let start = then;
    if (most === Infinity) {
      const loop = add(machine, { next: [then] });
      machine.states[loop]?.next.unshift(once(loop));
      start = loop;
    } else for (let i = least; i < most; i++) start = add(machine, { next: [once(start), then] });
    for (let i = 0; i < least; i++) start = once(start);
    return start;
  };
