import { evaluate, type EvaluationContext } from '#questionnaire/evaluation.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { isEditable, isOverwritten } from '#questionnaire/overwritten.ts';
import type { Indices } from '#questionnaire/positions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { enabledItems } from '#questionnaire/visible-items.ts';
import { enabledAnswers } from './enabled-answers.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import { createConstraintChecks } from './constraint-checks.ts';
import { dependencyOf, readsAny, touchedBy, type Dependency } from './dependencies.ts';
import { evaluatorOf, type OnFailure } from './evaluate-at.ts';
import type { Expressions } from './expression-library.ts';
import { createOffers } from './offered-options.ts';
import { valuesFrom } from './result-values.ts';

/** Calculations that change each other count as endless when one of them is evaluated more often than this. */
const mostEvaluations = 8;
/** How long a chain of calculations may be that wait for each other. */
const mostRounds = 200;

/** The answers with everything calculated, and which items expressions enable. */
export interface SettledAnswers {
  answers: Answers;
  setting: EvaluationContext;
}

/** The calculations of one open form. It remembers its last answers, so a change evaluates only the expressions that depend on it. */
export interface Calculator {
  settle(answers: Answers): SettledAnswers;
}

/** One expression at one place of the form. */
interface Work {
  id: string;
  kind: 'calculation' | 'condition';
  expression: string;
  item: FormItem;
  key: string;
  indices: Indices;
  dependency: Dependency;
}

/** Starts the calculations of a form. `onFailure` gets each expression that fails, also those that are endless. */
export function createCalculator(
  questionnaire: Questionnaire,
  expressions: Expressions,
  setting: EvaluationContext,
  onFailure: OnFailure,
): Calculator {
  let decided: ReadonlyMap<string, boolean> = new Map();
  /** The answers to items that were asked, as the last expressions saw them. */
  let seen: Answers = {};
  /** The expressions whose results are those of the answers in `seen`. */
  const evaluated = new Set<string>();
  const checkConstraints = createConstraintChecks(questionnaire, expressions, onFailure);
  const offersOf = createOffers(questionnaire, expressions, onFailure);
  /** The answers that a calculation gave. */
  const calculated = new Set<string>();
  /** What stood in the place of each calculation afterwards. One that differs now is calculated again. */
  const results = new Map<string, readonly Value[] | undefined>();

  function settleAnswers(given: Answers): SettledAnswers {
    let answers = given;
    for (const [key, values] of results)
      if (!isSameResult(answers[key], values)) evaluated.delete(`calculation ${key}`);
    const times = new Map<string, number>();
    const pending = new Map<string, Work>();
    for (let round = 0; round < mostRounds; round++) {
      const now = { ...setting, decided };
      const asked = enabledAnswers(questionnaire, answers, now);
      const touched = touchedBy(questionnaire, seen, asked);
      seen = asked;
      const here = workOf(questionnaire, answers, setting);
      for (const id of [...evaluated, ...pending.keys()]) {
        if (here.has(id)) continue;
        evaluated.delete(id);
        pending.delete(id);
      }
      for (const work of here.values())
        if (!evaluated.has(work.id) || readsAny(work.dependency.reads, touched)) pending.set(work.id, work);
      if (pending.size === 0) break;
      const look = evaluatorOf(questionnaire, answers, expressions, now, onFailure);
      const decisions = new Map(decided);
      const changes: Record<string, readonly Value[] | undefined> = {};
      for (const work of readyIn(pending)) {
        pending.delete(work.id);
        evaluated.add(work.id);
        const count = (times.get(work.id) ?? 0) + 1;
        times.set(work.id, count);
        if (count > mostEvaluations) {
          onFailure(work.item, work.expression, new EndlessCalculation());
          continue;
        }
        const found = look(work.item, work.expression, work.indices);
        if (work.kind === 'condition') decisions.set(work.key, found.length > 0 && found.every((one) => one === true));
        else noteResult(work, valuesFrom(found, work.item), answers, changes);
      }
      if (!isSameMap(decided, decisions)) decided = decisions;
      answers = withChanges(answers, changes);
    }
    for (const { item, expression } of pending.values()) onFailure(item, expression, new EndlessCalculation());
    const settled = { ...setting, decided };
    const broken = checkConstraints(answers, settled);
    const offered = offersOf(answers, settled);
    return {
      answers,
      setting: { ...settled, ...(broken.length > 0 && { broken }), ...(offered.size > 0 && { offered }) },
    };
  }

  function noteResult(
    { item, key }: Work,
    values: readonly Value[],
    answers: Answers,
    changes: Record<string, readonly Value[] | undefined>,
  ): void {
    const before = Object.hasOwn(answers, key) ? answers[key] : undefined;
    results.set(key, before);
    if (values.length > 0) {
      calculated.add(key);
      if (isSameResult(before, values)) return;
      changes[key] = values;
      results.set(key, values);
    } else if (before !== undefined && (item.readOnly || item.hidden || calculated.has(key))) {
      calculated.delete(key);
      changes[key] = undefined;
      results.set(key, undefined);
    }
  }

  return { settle: settleAnswers };
}

/** Calculations that change each other forever, or a chain of them that is too long. */
export class EndlessCalculation extends Error {
  override readonly name = 'EndlessCalculation';
}

/** Every expression of the items that are asked, by its id, without calculations that a person overwrote. Conditions by expressions are looked at even where they do not hold. */
function workOf(questionnaire: Questionnaire, answers: Answers, setting: EvaluationContext): Map<string, Work> {
  const here = new Map<string, Work>();
  const add = (kind: Work['kind'], expression: string, item: FormItem, key: string, indices: Indices) => {
    const dependency = dependencyOf(questionnaire, item, kind, expression);
    const id = `${kind} ${key}`;
    here.set(id, { id, kind, expression, item, key, indices, dependency });
  };
  const everything = evaluate(questionnaire, answers, { ...setting, decided: new Map() });
  for (const { item, key, indices, repetition } of enabledItems(everything, false)) {
    if (item.enabledBy !== undefined && (repetition ?? 0) === 0) add('condition', item.enabledBy, item, key, indices);
    const isByHand = isEditable(item) && isOverwritten(answers, key);
    if (item.calculated !== undefined && item.isQuestion && !isByHand)
      add('calculation', item.calculated, item, key, indices);
  }
  return here;
}

/** The expressions that read nothing that other pending ones may still change; all of them if they wait for each other. */
function readyIn(pending: ReadonlyMap<string, Work>): Work[] {
  const all = [...pending.values()];
  const writers = new Map<string, number>();
  for (const { dependency } of all)
    for (const linkId of dependency.writes) writers.set(linkId, (writers.get(linkId) ?? 0) + 1);
  const ready = all.filter(({ dependency: { reads, writes } }) => {
    const isFree = (linkId: string) => (writers.get(linkId) ?? 0) <= (writes.has(linkId) ? 1 : 0);
    if (reads.all) return all.length === 1;
    if (![...reads.linkIds].every(isFree)) return false;
    return [...reads.prefixes].every((prefix) =>
      [...writers.keys()].every((linkId) => !linkId.startsWith(prefix) || isFree(linkId)),
    );
  });
  return ready.length > 0 ? ready : all;
}

const isSameResult = (one: readonly Value[] | undefined, other: readonly Value[] | undefined) =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

function isSameMap(one: ReadonlyMap<string, boolean>, other: ReadonlyMap<string, boolean>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

function withChanges(answers: Answers, changes: Record<string, readonly Value[] | undefined>): Answers {
  const entries = Object.entries(changes);
  if (entries.length === 0) return answers;
  const next: Record<string, readonly Value[]> = { ...answers };
  for (const [key, values] of entries) {
    if (values) next[key] = values;
    else delete next[key];
  }
  return next;
}
