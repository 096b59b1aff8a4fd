/**
 * Whether a whole text fits a pattern; undefined where finding out would take too much work. A native RegExp could be made to run for hours
 * by whoever wrote the form.
 */
export type Pattern = (text: string) => boolean | undefined;

type Test = (character: string) => boolean;
/** A state consumes by `test` and goes on to `next`, or, without a test, goes to all of `next` at once. */
interface State {
  test?: Test;
  /** How many comparisons the test makes: one for each member of a set. */
  cost?: number;
  edge?: 'start' | 'end';
  next: number[];
}
type Build = (then: number) => number;

const mostStates = 4000;
/** Nested counts multiply (`((a{99}){99}){99}`), also where they add no state: so building is counted by itself. */
const mostBuildSteps = 20_000;
/** Comparisons while one text is matched: states times characters at worst. 10⁶ take about 50 ms. */
const mostMatchSteps = 1_000_000;

export type PatternFlaw = 'too_large' | 'not_understood';

/** Reads a regular expression; null when it uses what is not understood (look-around, back-references, flags) or is too large. */
export function readPattern(source: string): Pattern | null {
  const pattern = buildPattern(source);
  return typeof pattern === 'string' ? null : pattern;
}

/** Why a pattern is not used; undefined when it is. */
export function patternFlaw(source: string): PatternFlaw | undefined {
  const pattern = buildPattern(source);
  return typeof pattern === 'string' ? pattern : undefined;
}

class TooLarge extends Error {}

function buildPattern(source: string): Pattern | PatternFlaw {
  let at = 0;
  let steps = 0;
  const states: State[] = [];
  const add = (state: State) => {
    if (states.push(state) > mostStates) throw new TooLarge();
    return states.length - 1;
  };
  const build = (part: Build, then: number) => {
    if (++steps > mostBuildSteps) throw new TooLarge();
    return part(then);
  };
  const refuse = (): never => {
    throw new Error('not understood');
  };

  const next = () => (at < source.length ? String.fromCodePoint(source.codePointAt(at) ?? 0) : undefined);

  function alternatives(): Build {
    const branches = [sequence()];
    while (source[at] === '|') {
      at += 1;
      branches.push(sequence());
    }
    if (branches.length === 1) return branches[0] as Build;
    return (then) => add({ next: branches.map((branch) => build(branch, then)) });
  }

  function sequence(): Build {
    const parts: Build[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified());
    return (then) => parts.reduceRight((after, part) => build(part, after), then);
  }

  function quantified(): Build {
    const one = atom();
    const range = /^(?:([*+?])|\{(\d{1,4})(,(\d{0,4}))?\})\??/.exec(source.slice(at, at + 16));
    if (!range) return one;
    at += range[0].length;
    if (/[*+?{]/.test(source[at] ?? '') && !/^\{(?!\d)/.test(source.slice(at, at + 2))) refuse();
    const [, mark, from, comma, to] = range;
    const least = mark ? (mark === '+' ? 1 : 0) : Number(from);
    const most = mark ? (mark === '?' ? 1 : Infinity) : comma ? (to ? Number(to) : Infinity) : least;
    if (most < least) refuse();
    return (then) => repeat(one, least, most, then);
  }

  function repeat(part: Build, least: number, most: number, then: number): number {
    const one = (after: number) => {
      const start = build(part, after);
      // An empty group consumes nothing, however often it is repeated: only an attack writes that.
      if (start === after) throw new TooLarge();
      return start;
    };
    let start = then;
    if (most === Infinity) {
      const loop = add({ next: [then] });
      states[loop]?.next.unshift(one(loop));
      start = loop;
    } else for (let i = least; i < most; i++) start = add({ next: [one(start), then] });
    for (let i = 0; i < least; i++) start = one(start);
    return start;
  }

  function atom(): Build {
    const character = next() ?? refuse();
    at += character.length;
    if (character === '(') return group();
    if (character === '^' || character === '$') {
      const edge = character === '^' ? 'start' : 'end';
      return (then) => add({ edge, next: [then] });
    }
    if (/[*+?]/.test(character)) refuse();
    const began = at;
    const test =
      character === '[' ? set() : character === '\\' ? escape() : character === '.' ? anything : is(character);
    const cost = character === '[' ? at - began : 1;
    return (then) => add({ test, cost, next: [then] });
  }

  function group(): Build {
    if (source[at] === '?') {
      const opened = /^\?(?::|<[A-Za-z]\w*>)/.exec(source.slice(at, at + 40)) ?? refuse();
      at += opened[0].length;
    }
    const inside = alternatives();
    if (source[at] !== ')') refuse();
    at += 1;
    return inside;
  }

  function set(): Test {
    const isNegated = source[at] === '^';
    if (isNegated) at += 1;
    const tests: Test[] = [];
    while (source[at] !== ']') {
      const low = member();
      if (source[at] === '-' && source[at + 1] !== ']' && typeof low === 'string') {
        at += 1;
        const high = member();
        if (typeof high !== 'string' || high < low) return refuse();
        tests.push((character) => character >= low && character <= high);
      } else tests.push(typeof low === 'string' ? is(low) : low);
    }
    at += 1;
    return (character) => tests.some((test) => test(character)) !== isNegated;
  }

  function member(): string | Test {
    const character = next() ?? refuse();
    at += character.length;
    if (character !== '\\') return character;
    const escaped = source[at] ?? '';
    if (/[dDwWsS]/.test(escaped)) return escape();
    at += escaped.length;
    return /[A-Za-z0-9]/.test(escaped) ? (control[escaped] ?? hex(escaped)) : escaped;
  }

  function escape(): Test {
    const character = source[at] ?? refuse();
    at += 1;
    const known = classes[character.toLowerCase()];
    if (known) return character === character.toLowerCase() ? (one) => known.test(one) : (one) => !known.test(one);
    if (/[A-Za-z0-9]/.test(character)) return is(control[character] ?? hex(character));
    return is(character);
  }

  function hex(kind: string): string {
    const digits = /^(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4}))/.exec(kind + source.slice(at, at + 4)) ?? refuse();
    at += digits[0].length - 1;
    return String.fromCharCode(Number.parseInt(digits[1] ?? digits[2] ?? '', 16));
  }

  try {
    const whole = alternatives();
    if (at < source.length) return 'not_understood';
    const done = add({ next: [] });
    const start = build(whole, done);
    return (text) => fits(states, start, done, text);
  } catch (error) {
    return error instanceof TooLarge ? 'too_large' : 'not_understood';
  }
}

const classes: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: /\s/ };
const control: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };
const is =
  (wanted: string): Test =>
  (character) =>
    character === wanted;
const anything: Test = (character) => character !== '\n' && character !== '\r';

function fits(states: readonly State[], start: number, done: number, text: string): boolean | undefined {
  const characters = [...text];
  let steps = 0;
  let here = new Set<number>();
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
  enter(start, here, 0);
  for (const [i, character] of characters.entries()) {
    const there = new Set<number>();
    for (const at of here) {
      const state = states[at];
      steps += state?.cost ?? 1;
      if (steps > mostMatchSteps) return undefined;
      if (state?.test?.(character)) for (const next of state.next) enter(next, there, i + 1);
    }
    if (there.size === 0) return false;
    here = there;
  }
  return here.has(done);
}
