import { evaluate, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { expressionOf, extensionOf, extensionsOf, urls } from '#questionnaire/extensions.ts';
import { formOf, type Form } from '#questionnaire/form.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { optionsFrom, type Option } from '#questionnaire/options.ts';
import type { AnswerOption, Questionnaire, TypedValue } from '#questionnaire/questionnaire.ts';
import { isCoding, isRecord, isSameValue, valueIn, type Answers, type Value } from '#questionnaire/values.ts';
import { enabledItems } from '#questionnaire/visible-items.ts';
import { followAnswers, type FollowedExpression } from './follow-answers.ts';
import type { OnFailure } from './evaluate-at.ts';
import type { Expressions } from './expression-library.ts';
import { readsOf } from './names.ts';
import type { Reads } from './read-expression.ts';

/** Expressions that decide which answers an item offers. */
interface Offer {
  item: FormItem;
  /** `toggle`: the listed options are offered only if it is true. */
  kind: 'answers' | 'candidates' | 'toggle';
  expression: string;
  toggled: readonly Value[];
  reads: Reads;
}

const offersOfForms = new WeakMap<Form, Offer[]>();

/** Every such expression of a form, collected once. */
function offersIn(form: Form): Offer[] {
  let known = offersOfForms.get(form);
  if (!known) offersOfForms.set(form, (known = form.all.flatMap((item) => offersOf(form, item))));
  return known;
}

function offersOf(form: Form, item: FormItem): Offer[] {
  if (!item.isQuestion) return [];
  const offers: Offer[] = [];
  const add = (kind: Offer['kind'], expression: string | undefined, toggled: readonly Value[] = []) => {
    if (expression !== undefined)
      offers.push({ item, kind, expression, toggled, reads: readsOf(form, item, expression) });
  };
  add('answers', expressionOf(extensionOf(item.source, urls.answersBy))?.expression);
  if (takesCandidates(item)) add('candidates', expressionOf(extensionOf(item.source, urls.candidatesBy))?.expression);
  for (const { expression, toggled } of togglesOf(item)) add('toggle', expression, toggled);
  return offers;
}

/** Which options of an item are offered only while an expression is true. */
export function togglesOf({
  source,
}: Pick<FormItem, 'source'>): { expression: string | undefined; toggled: Value[] }[] {
  return extensionsOf(source, urls.optionsToggle).map(({ extension = [] }) => {
    const parts = Array.isArray(extension) ? extension.filter((one) => isRecord(one)) : [];
    return {
      expression: expressionOf(parts.find(({ url }) => url === 'expression'))?.expression,
      toggled: parts
        .filter(({ url }) => url === 'option')
        .map((part) => valueIn(part as TypedValue))
        .filter((value) => value !== undefined),
    };
  });
}

/** A suggestion is a text or a code; other fields have no list to choose from. */
const takesCandidates = ({ type }: FormItem) =>
  type === 'choice' || type === 'open-choice' || type === 'string' || type === 'text';

/**
 * Tells which items offer other answers than the questionnaire lists, by the key of their answers: each as the item with the options that it
 * offers now. Candidates are suggestions, so another answer may be typed. An option that several toggles name is offered while one of them is true, and while one cannot be evaluated.
 */
export function createOffers(questionnaire: Questionnaire, expressions: Expressions, onFailure: OnFailure) {
  const offers = offersIn(formOf(questionnaire));
  const follow = followAnswers(questionnaire, expressions, onFailure);
  let offered = new Map<string, FormItem>();

  return (answers: Answers, setting: EvaluationContext): ReadonlyMap<string, FormItem> => {
    if (offers.length === 0) return offered;
    const places = Map.groupBy(enabledItems(evaluate(questionnaire, answers, setting), false), ({ item }) => item);
    const followed = offers.flatMap((offer, nth) =>
      (places.get(offer.item) ?? []).map(({ key, indices }) => ({ offer, key, indices, id: `${nth} ${key}` })),
    );
    const results = follow(
      answers,
      setting,
      followed.map(({ offer: { item, expression, reads }, indices, id }): FollowedExpression => ({
        id,
        item,
        expression,
        indices,
        reads,
        context: 'around',
      })),
    );
    const next = new Map<string, FormItem>();
    for (const [key, ofItem] of Map.groupBy(followed, (one) => one.key)) {
      const item = ofItem[0]?.offer.item;
      if (!item) continue;
      const found = ofItem.map(({ offer, id }) => ({ ...offer, result: results.get(id) }));
      const options = optionsOffered(item, found);
      if (!options) continue;
      const before = offered.get(key);
      // The same object as long as the options are the same, so that a screen can skip it.
      const isSame = before && JSON.stringify(before.options) === JSON.stringify(options);
      const takesOther = item.type === 'open-choice' || found.some(({ kind }) => kind === 'candidates');
      next.set(key, isSame ? before : { ...item, options, takesOther });
    }
    offered = next;
    return offered;
  };
}

type EvaluatedOffer = Offer & { result: readonly unknown[] | undefined };

/** Undefined if the item offers what the questionnaire lists. */
function optionsOffered(item: FormItem, found: readonly EvaluatedOffer[]): Option[] | undefined {
  const calculated = found.flatMap(({ kind, result }) => (kind === 'toggle' ? [] : (result ?? [])));
  const listed =
    calculated.length > 0 ? optionsFrom(calculated.flatMap((one) => answerOptionOf(item, one))) : item.options;
  const toggles = found.filter(({ kind }) => kind === 'toggle');
  const options = listed.filter(({ value }) => {
    const naming = toggles.filter(({ toggled }) => toggled.some((one) => isSameValue(one, value)));
    return naming.length === 0 || naming.some(({ result }) => result === undefined || result[0] === true);
  });
  return options.length === item.options.length && listed === item.options ? undefined : options;
}

/** A result as an option of that type of item. */
function answerOptionOf({ type }: FormItem, found: unknown): AnswerOption[] {
  const concept = isRecord(found) && Array.isArray(found['coding']) ? (found['coding'] as unknown[])[0] : found;
  if (type === 'choice' || type === 'open-choice') {
    if (isCoding(concept)) return [{ valueCoding: concept }];
    if (typeof concept !== 'string' && typeof concept !== 'number') return [];
    return [type === 'choice' ? { valueCoding: { display: String(concept) } } : { valueString: String(concept) }];
  }
  if (isCoding(concept)) return concept.display === undefined ? [] : [{ valueString: concept.display }];
  if (type === 'integer') return typeof concept === 'number' ? [{ valueInteger: concept }] : [];
  if (typeof concept !== 'string' && typeof concept !== 'number') return [];
  if (type === 'date') return [{ valueDate: String(concept) }];
  if (type === 'time') return [{ valueTime: String(concept) }];
  return type === 'string' || type === 'text' ? [{ valueString: String(concept) }] : [];
}
