import { evaluate, type Evaluation, type EvaluationContext } from './evaluation.ts';
import { keyOf, type Indices } from './positions.ts';
import { formOf, type Form } from './form.ts';
import type { FormItem } from './form-item.ts';
import type { Questionnaire } from './questionnaire.ts';
import type { Answers, Value } from './values.ts';

/** An item on the screen. It stays the same object as long as the questionnaire does, so a screen can skip what did not change. */
export interface VisibleItem {
  /** One for each place on the screen. */
  id: string;
  /** The key of its answers. */
  key: string;
  item: FormItem;
  indices: Indices;
  /** How deep it is nested: 0 at the top. */
  level: number;
  /** Which repetition of a repeating group this is the head of, from 0. */
  repetition?: number;
}

const standing = new WeakMap<Form, Map<string, VisibleItem>>();

function standingAt(form: Form, item: FormItem, indices: Indices, level: number, repetition?: number): VisibleItem {
  let known = standing.get(form);
  if (!known) standing.set(form, (known = new Map()));
  const key = keyOf(item, indices);
  const id = repetition === undefined ? key : `${key}#${indices.length}:${repetition}`;
  let found = known.get(id);
  if (found?.item !== item) {
    found = { id, key, item, indices, level, ...(repetition !== undefined && { repetition }) };
    known.set(id, found);
  }
  return found;
}

/** All items to show with these answers, in order, without hidden items and those whose conditions do not hold. */
export function visibleItems(
  questionnaire: Questionnaire,
  answers: Answers,
  setting?: EvaluationContext,
): VisibleItem[] {
  return enabledItems(evaluate(questionnaire, answers, setting), true);
}

/** Like `visibleItems`. Without `onlyShown` also the hidden items, which are stored and calculated. */
export function enabledItems(evaluation: Evaluation, onlyShown: boolean): VisibleItem[] {
  const { form } = evaluation;
  const found: VisibleItem[] = [];
  function walk(items: readonly FormItem[], indices: Indices, level: number): void {
    for (const item of items) {
      if ((onlyShown && item.hidden) || !evaluation.isEnabled(item, indices)) continue;
      if (item.type === 'group' && item.repeats) {
        const count = evaluation.countOf(item, indices);
        for (let i = 0; i < count; i++) {
          found.push(standingAt(form, item, indices, level, i));
          walk(item.children, [...indices, i], level + 1);
        }
        continue;
      }
      found.push(standingAt(form, item, indices, level));
      if (item.children.length > 0) walkBelow(item, indices, level + 1);
    }
  }
  function walkBelow(item: FormItem, indices: Indices, level: number): void {
    if (!item.isQuestion || !item.repeats) return walk(item.children, indices, level);
    const notes = item.children.filter(({ type }) => type === 'display');
    const followUps = item.children.filter(({ type }) => type !== 'display');
    walk(notes, indices, level);
    if (followUps.length > 0)
      evaluation.answersTo(item, indices).forEach((_, i) => walk(followUps, [...indices, i], level));
  }
  walk(form.items, [], 0);
  return found;
}

/** What a form starts with: initial values and preselected options, in the first repetition of repeating groups too. */
export function initialAnswers(questionnaire: Questionnaire): Answers {
  const answers: Record<string, readonly Value[]> = {};
  for (const item of formOf(questionnaire).all) {
    if (item.initial.length > 0)
      answers[keyOf(item, Array<number>(item.within.length).fill(0))] = item.repeats
        ? item.initial
        : item.initial.slice(0, 1);
  }
  return answers;
}

/** The keys whose answers differ: what a step has to save. */
export function changedAnswers(before: Answers, after: Answers): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => {
    const [one = [], other = []] = [before[key], after[key]];
    return one !== other && JSON.stringify(one) !== JSON.stringify(other);
  });
}
