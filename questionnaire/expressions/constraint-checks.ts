import type { BrokenConstraint } from '#questionnaire/checking/broken-constraint.ts';
import { constraintsOf, type Constraint } from '#questionnaire/checking/constraints.ts';
import { evaluate, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { formOf, type Form } from '#questionnaire/form.ts';
import { isHidden, type FormItem } from '#questionnaire/form-item.ts';
import { keyOf } from '#questionnaire/positions.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { enabledItems } from '#questionnaire/visible-items.ts';
import type { OnFailure } from './evaluate-at.ts';
import type { Expressions } from './expression-library.ts';
import { followAnswers, type FollowedExpression } from './follow-answers.ts';
import { readsOf } from './names.ts';
import { readExpression, type Reads } from './read-expression.ts';

/** A constraint, and what is known about it before anything is answered. */
interface FormConstraint extends Constraint {
  item: FormItem | undefined;
  reads: Reads;
  isEarly: boolean;
  /** The item at which it is shown; undefined for the whole form. */
  shownAt: FormItem | undefined;
}

const constraintsOfForms = new WeakMap<Form, FormConstraint[]>();

/** Every constraint of a form that can be evaluated, collected once. */
function constraintsIn(form: Form): FormConstraint[] {
  let known = constraintsOfForms.get(form);
  if (!known) {
    known = [undefined, ...form.all].flatMap((item) =>
      constraintsOf(item?.source ?? form.questionnaire).flatMap((constraint) =>
        constraint.expression === undefined ? [] : [prepare(form, item, constraint)],
      ),
    );
    constraintsOfForms.set(form, known);
  }
  return known;
}

function prepare(form: Form, item: FormItem | undefined, constraint: Constraint): FormConstraint {
  const reads = readsOf(form, item, constraint.expression, 'item');
  const shownAt = item ? questionToShowAt(item) : locatedAt(form, constraint.location);
  const last = item ? lastWithin(item) : undefined;
  const order = new Map(form.all.map((one, i) => [one.linkId, i]));
  const end = last ? (order.get(last.linkId) ?? 0) : -1;
  const isEarly =
    reads.all || reads.prefixes.size > 0 || [...reads.linkIds].some((linkId) => (order.get(linkId) ?? 0) > end);
  return { ...constraint, item, reads, isEarly, shownAt };
}

const lastWithin = (item: FormItem): FormItem => {
  const last = item.children.at(-1);
  return last ? lastWithin(last) : item;
};

/** The item itself; of a repeating group its first question, because the group has one head for each repetition. Nothing hidden. */
function questionToShowAt(item: FormItem): FormItem | undefined {
  if (isHidden(item)) return undefined;
  if (item.type !== 'group' || !item.repeats) return item;
  return item.children.find((child) => child.isQuestion && !child.hidden);
}

/** The item that the location of a constraint of the whole form leads to. */
function locatedAt({ byLinkId }: Form, location: string | undefined): FormItem | undefined {
  const linkId = location === undefined ? undefined : [...readExpression(location).reads.linkIds].at(-1);
  const item = linkId === undefined ? undefined : byLinkId.get(linkId);
  return item && item.within.length === 0 && !item.repeats ? questionToShowAt(item) : undefined;
}

/** Tells which constraints the settled answers break. */
export function createConstraintChecks(questionnaire: Questionnaire, expressions: Expressions, onFailure: OnFailure) {
  const constraints = constraintsIn(formOf(questionnaire));
  const follow = followAnswers(questionnaire, expressions, onFailure);

  return (answers: Answers, setting: EvaluationContext): readonly BrokenConstraint[] => {
    if (constraints.length === 0) return [];
    const places = placesOf(questionnaire, answers, setting, constraints);
    const results = follow(answers, setting, places);
    return places.flatMap(({ constraint, id, indices }): BrokenConstraint[] => {
      const found = results.get(id) ?? [];
      if (found.length !== 1 || found[0] !== false) return [];
      const { item, shownAt, isEarly, severity, message } = constraint;
      const path = shownAt ? keyOf(shownAt, indices.slice(0, shownAt.within.length)) : '';
      return [{ linkId: (shownAt ?? item)?.linkId ?? '', path, isWarning: severity === 'warning', message, isEarly }];
    });
  };
}

/**
 * Where each constraint is checked: that of the questionnaire once, that of a group at each of its repetitions, that of a question where it
 * is answered, because FHIR has no item for a question without an answer.
 */
function placesOf(
  questionnaire: Questionnaire,
  answers: Answers,
  setting: EvaluationContext,
  constraints: readonly FormConstraint[],
): (FollowedExpression & { constraint: FormConstraint })[] {
  const evaluation = evaluate(questionnaire, answers, setting);
  const placesOfItems = Map.groupBy(enabledItems(evaluation, false), ({ item }) => item);
  return constraints.flatMap((constraint, nth) => {
    const { item, expression, reads } = constraint;
    const followed = { constraint, item, expression, reads, context: 'item' as const };
    if (!item) return [{ ...followed, id: `${nth}`, indices: [] }];
    return (placesOfItems.get(item) ?? [])
      .filter(({ indices }) => !item.isQuestion || evaluation.answersTo(item, indices).length > 0)
      .map(({ indices, repetition }) => {
        const here = repetition === undefined ? indices : [...indices, repetition];
        return { ...followed, id: `${nth} ${here.join('.')}`, indices: here };
      });
  });
}
