import { evaluate, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { formOf, rootSignature, type Form } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { Questionnaire, QuestionnaireResponse, ResponseItem } from '#questionnaire/questionnaire.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import { changedAnswers } from '#questionnaire/visible-items.ts';
import { touchedAt, touchedBy } from './dependencies.ts';
import { enabledAnswers, storedAnswers } from './enabled-answers.ts';
import { expressionResponse } from './response.ts';
import { placedExpressions, type PlacedExpression } from './placed-expressions.ts';

/** What expressions see of one set of answers. */
interface WatchedAnswers {
  /** The linkIds of the items whose content differs from the answers before. */
  touched: ReadonlySet<string>;
  /** Every expression that there is with these answers. */
  expressions: ReadonlyMap<string, PlacedExpression>;
  /** Those of them that may read one of these items, and perhaps others. */
  readersOf(linkIds: ReadonlySet<string>): Iterable<PlacedExpression>;
  responseOf(): QuestionnaireResponse;
}

/**
 * Watches the answers of one form. A change of answers that decide about no other item keeps everything known but those answers, so a chain
 * of calculations does not walk a large form once for each of its links.
 */
export function watchAnswers(questionnaire: Questionnaire, setting: EvaluationContext) {
  const { byLinkId } = formOf(questionnaire);
  const alone = aloneIn(formOf(questionnaire));
  let before: Answers = {};
  let decidedBefore: EvaluationContext['decided'];
  let enabled: Record<string, readonly Value[]> = {};
  let expressions: ReadonlyMap<string, PlacedExpression> = new Map();
  let readers = readersIn(expressions);
  /** The items of the last response, as far as nothing in them changed. */
  const itemCache = new Map<FormItem, ResponseItem[]>();

  /** Takes over changed answers of items that decide about no other. Returns what is touched. */
  function takeOver(keys: readonly string[], answers: Answers, now: EvaluationContext): Set<string> {
    const evaluation = evaluate(questionnaire, answers, now);
    for (const item of keys.flatMap((key) => byLinkId.get(key) ?? [])) {
      const values = evaluation.answersTo(item, []);
      if (values.length > 0) enabled[item.linkId] = storedAnswers(item, values);
      else delete enabled[item.linkId];
    }
    return touchedAt(questionnaire, keys);
  }

  function readAgain(answers: Answers, now: EvaluationContext): Set<string> {
    const next = { ...enabledAnswers(questionnaire, answers, now) };
    const touched = touchedBy(questionnaire, enabled, next);
    enabled = next;
    expressions = placedExpressions(questionnaire, answers, setting);
    readers = readersIn(expressions);
    itemCache.clear();
    return touched;
  }

  return (
    answers: Answers,
    decided: ReadonlyMap<string, boolean>,
    /** The keys of the answers that differ from those that were watched last, if the caller knows. */
    changed?: readonly string[],
  ): WatchedAnswers => {
    const now = { ...setting, decided };
    const keys = changed ?? changedAnswers(before, answers);
    const isSameForm = decidedBefore === decided && keys.every((key) => alone.has(key));
    const touched = isSameForm ? takeOver(keys, answers, now) : readAgain(answers, now);
    for (const linkId of touched) {
      const item = byLinkId.get(linkId);
      if (item) itemCache.delete(item);
    }
    [before, decidedBefore] = [answers, decided];
    return {
      touched,
      expressions,
      readersOf: readers,
      responseOf: () => expressionResponse(questionnaire, answers, now, itemCache),
    };
  };
}

/** Finds the expressions that may read some items, without looking at each expression. */
function readersIn(expressions: ReadonlyMap<string, PlacedExpression>) {
  const byLinkId = new Map<string, Set<PlacedExpression>>();
  const unclear: PlacedExpression[] = [];
  for (const one of expressions.values()) {
    const { linkIds, prefixes, all } = one.dependency.reads;
    if (all || prefixes.size > 0) unclear.push(one);
    for (const linkId of linkIds) {
      const known = byLinkId.get(linkId);
      if (known) known.add(one);
      else byLinkId.set(linkId, new Set([one]));
    }
  }
  return (linkIds: ReadonlySet<string>): Iterable<PlacedExpression> =>
    new Set([...unclear, ...[...linkIds].flatMap((linkId) => [...(byLinkId.get(linkId) ?? [])])]);
}

const aloneInForms = new WeakMap<Form, ReadonlySet<string>>();

/** The questions on which no other item depends for being there: nothing is in them or repeats them, and no condition looks at them. */
function aloneIn(form: Form): ReadonlySet<string> {
  let known = aloneInForms.get(form);
  if (!known) {
    const lookedAt = new Set(form.all.flatMap(({ conditions }) => conditions.map(({ question }) => question)));
    const isAlone = ({ linkId, isQuestion, children, within }: FormItem) =>
      isQuestion && children.length === 0 && within.length === 0 && !lookedAt.has(linkId) && linkId !== rootSignature;
    aloneInForms.set(form, (known = new Set(form.all.filter(isAlone).map(({ linkId }) => linkId))));
  }
  return known;
}
