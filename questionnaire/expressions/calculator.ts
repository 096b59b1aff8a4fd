import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { isEditable } from '#questionnaire/form-item.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import { createConstraintChecks } from './constraint-checks.ts';
import { readsAny } from './dependencies.ts';
import { evaluatorOf, type OnFailure } from './evaluate-at.ts';
import type { Expressions } from './expression-library.ts';
import { createOffers } from './offered-options.ts';
import { isUnfit, UnfitResult, valuesFrom } from './result-values.ts';
import { watchAnswers } from './watch-answers.ts';
import { readyIn, type PlacedExpression } from './placed-expressions.ts';

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

/** Starts the calculations of a form. `onFailure` gets each expression that fails, also those that are endless. */
export function createCalculator(
  questionnaire: Questionnaire,
  expressions: Expressions,
  setting: EvaluationContext,
  onFailure: OnFailure,
): Calculator {
  let decided: ReadonlyMap<string, boolean> = new Map();
  const watch = watchAnswers(questionnaire, setting);
  let lastPlaced: ReadonlyMap<string, PlacedExpression> | undefined;
  /** The expressions whose results are those of the answers that were watched last. */
  const evaluated = new Set<string>();
  const checkConstraints = createConstraintChecks(questionnaire, expressions, onFailure);
  const offersOf = createOffers(questionnaire, expressions, onFailure);
  /** The answers that a calculation gave. */
  const calculated = new Set<string>();
  /** What stood in the place of each calculation afterwards. One that differs now is calculated again. */
  const results = new Map<string, readonly Value[] | undefined>();
  /** The calculations that failed when they were evaluated last, or had a result that their item cannot hold. */
  const uncalculated = new Set<string>();

  function settleAnswers(entries: Answers): SettledAnswers {
    let answers = entries;
    let own: Record<string, readonly Value[]> | undefined;
    let changed: string[] | undefined;
    let isSettled = false;
    for (const [key, values] of results)
      if (!isSameResult(answers[key], values)) evaluated.delete(`calculation ${key}`);
    const times = new Map<string, number>();
    const pending = new Map<string, PlacedExpression>();
    for (let round = 0; round < mostRounds; round++) {
      const now = { ...setting, decided };
      const { touched, expressions: placed, readersOf, responseOf } = watch(answers, decided, changed);
      const isUnchanged = placed === lastPlaced;
      if (!isUnchanged) forgetOthers(placed, pending);
      lastPlaced = placed;
      for (const one of isUnchanged && round > 0 ? readersOf(touched) : placed.values())
        if (!evaluated.has(one.id) || readsAny(one.dependency.reads, touched)) pending.set(one.id, one);
      isSettled = pending.size === 0;
      if (isSettled) break;
      let hasFailed = false;
      const noteFailure: OnFailure = (...failure) => {
        hasFailed = true;
        onFailure(...failure);
      };
      const look = evaluatorOf(questionnaire, responseOf(), expressions, now, noteFailure);
      const decisions = new Map(decided);
      const changes: Record<string, readonly Value[] | undefined> = {};
      for (const one of readyIn(pending)) {
        pending.delete(one.id);
        evaluated.add(one.id);
        const count = (times.get(one.id) ?? 0) + 1;
        times.set(one.id, count);
        if (count > mostEvaluations) {
          noteOutcome(one.key, one.kind === 'calculation');
          onFailure(one.item, one.expression, new EndlessCalculation());
          continue;
        }
        hasFailed = false;
        const found = look(one.item, one.expression, one.indices);
        if (one.kind === 'condition')
          decisions.set(one.key, found.length > 0 && found.every((value) => value === true));
        else {
          const values = valuesFrom(found, one.item);
          if (isUnfit(found, values)) noteFailure(one.item, one.expression, new UnfitResult());
          noteOutcome(one.key, hasFailed);
          noteResult(one, values, answers, changes);
        }
      }
      if (!isSameMap(decided, decisions)) decided = decisions;
      changed = Object.keys(changes);
      if (changed.length > 0) answers = change((own ??= { ...answers }), changes);
    }
    if (!isSettled) giveUp(pending, answers, changed);
    const settled = { ...setting, decided };
    const broken = checkConstraints(answers, settled);
    const offered = offersOf(answers, settled);
    return {
      answers,
      setting: {
        ...settled,
        ...(broken.length > 0 && { broken }),
        ...(uncalculated.size > 0 && { uncalculated: new Set(uncalculated) }),
        ...(offered.size > 0 && { offered }),
      },
    };
  }

  function noteOutcome(key: string, hasFailed: boolean): void {
    if (hasFailed) uncalculated.add(key);
    else uncalculated.delete(key);
  }

  /** Forgets the expressions that are no longer there. */
  function forgetOthers(here: ReadonlyMap<string, PlacedExpression>, pending: Map<string, PlacedExpression>): void {
    for (const id of [...evaluated, ...pending.keys()]) {
      if (here.has(id)) continue;
      evaluated.delete(id);
      uncalculated.delete(id.replace(/^calculation /, ''));
      pending.delete(id);
    }
  }

  /** Too long a chain: everything is evaluated again when something changes. */
  function giveUp(
    pending: ReadonlyMap<string, PlacedExpression>,
    answers: Answers,
    changed: readonly string[] | undefined,
  ): void {
    for (const { item, expression } of pending.values()) onFailure(item, expression, new EndlessCalculation());
    watch(answers, decided, changed);
    evaluated.clear();
  }

  function noteResult(
    { item, key }: PlacedExpression,
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
    } else if (before !== undefined && (!isEditable(item) || calculated.has(key))) {
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

const isSameResult = (one: readonly Value[] | undefined, other: readonly Value[] | undefined) =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

function isSameMap(one: ReadonlyMap<string, boolean>, other: ReadonlyMap<string, boolean>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

/** Writes the changes into the answers. */
function change(
  answers: Record<string, readonly Value[]>,
  changes: Record<string, readonly Value[] | undefined>,
): Answers {
  for (const [key, values] of Object.entries(changes)) {
    if (values) answers[key] = values;
    else delete answers[key];
  }
  return answers;
}
