import { longestChain } from '#questionnaire/evaluation.ts';
import { expressionFlaw } from '#questionnaire/expressions/expression-limits.ts';
import { expressionsIn } from '#questionnaire/expressions/expressions.ts';
import { extensionOf, expressionOf, textOf, translated, urls } from '#questionnaire/extensions.ts';
import { formOf, type Condition, type Form, type FormItem } from '#questionnaire/form.ts';
import { containedSet, optionFor } from '#questionnaire/options.ts';
import { outcomeRules } from '#questionnaire/extras/outcome.ts';
import { patternFlaw } from '#questionnaire/checking/pattern.ts';
import { repetitionsIn } from '#questionnaire/positions.ts';
import { kindProblem } from '#questionnaire/checking/invalid-values.ts';
import { limits, type Beside, type Questionnaire } from '#questionnaire/questionnaire.ts';
import { readQuestionnaire, type Finding, type FindingCode } from './read-questionnaire.ts';
import { compare, type Value } from '#questionnaire/values.ts';

/** A loaded questionnaire, and everything a person should know before it is switched on. */
export interface Checked {
  /** Null when it cannot even be shown. */
  questionnaire: Questionnaire | null;
  findings: Finding[];
  /** It can be switched on: nothing found is an error. */
  isUsable: boolean;
}

/** Checks a questionnaire, as text or as parsed JSON. Whatever it is given, it answers with findings and does not throw. */
export function check(input: unknown): Checked {
  const { questionnaire, findings } = readQuestionnaire(input);
  if (questionnaire) {
    const form = formOf(questionnaire);
    const places = placesOf(questionnaire);
    const find = (
      item: FormItem | undefined,
      code: FindingCode,
      severity: Finding['severity'],
      field = '',
      detail = '',
    ) => {
      if (findings.length >= 500) return;
      const place = [item && places.get(item.source), field].filter((part) => part).join('.');
      findings.push({
        code,
        severity,
        place,
        ...(item && { linkId: item.linkId }),
        ...(detail && { detail: detail.slice(0, 200) }),
      });
    };
    checkNames(form, find);
    for (const item of form.all) checkItem(item, form, find);
    checkSize(form, find);
    for (const { item, expression } of expressionsIn(form)) {
      const flaw = expressionFlaw(expression);
      if (flaw) find(item, flaw, 'error', 'extension', expression);
    }
    checkCircles(form, find);
    checkOutcomes(form, find);
    checkTranslations(form, find);
  }
  return {
    questionnaire,
    findings,
    isUsable: questionnaire !== null && findings.every(({ severity }) => severity !== 'error'),
  };
}

type Find = (
  item: FormItem | undefined,
  code: FindingCode,
  severity: Finding['severity'],
  field?: string,
  detail?: string,
) => void;

/** Where each item stands in the file. */
export function placesOf(questionnaire: Questionnaire): Map<object, string> {
  const places = new Map<object, string>();
  const walk = (items: Questionnaire['item'], above: string) =>
    items?.forEach((item, i) => {
      const place = `${above}item[${i}]`;
      places.set(item, place);
      walk(item.item, `${place}.`);
    });
  walk(questionnaire.item, '');
  return places;
}

function checkNames({ all, byLinkId }: Form, find: Find): void {
  for (const item of all)
    if (byLinkId.get(item.linkId) !== item) find(item, 'link_id_twice', 'error', 'linkId', item.linkId);
}

function checkItem(item: FormItem, form: Form, find: Find): void {
  const { source, type } = item;
  if (type === 'unknown') {
    const isR5 = source.type === 'coding' || source.type === 'question';
    find(item, isR5 ? 'other_version' : 'type_unknown', isR5 ? 'error' : 'warning', 'type', isR5 ? 'R5' : source.type);
  }
  if (type === 'reference') find(item, 'type_unknown', 'warning', 'type', type);
  if (item.isQuestion && !source.text?.trim() && !item.hidden) find(item, 'text_missing', 'warning', 'text');
  if (type === 'group' && (source.item?.length ?? 0) === 0) find(item, 'group_without_items', 'warning');
  if (type === 'display' && source.item?.length) {
    const asks = item.children.some((child) => child.type !== 'display');
    find(item, 'display_with_items', asks ? 'error' : 'warning');
  }
  item.conditions.forEach((condition, i) => checkCondition(item, condition, `enableWhen[${i}]`, form, find));
  if (item.conditions.length > 1 && !source.enableBehavior) find(item, 'behavior_missing', 'warning', 'enableBehavior');
  checkOptions(item, form, find);
  checkLimits(item, find);
  checkExpressions(item, find);
}

function checkCondition(item: FormItem, condition: Condition, field: string, { byLinkId }: Form, find: Find): void {
  const { question: name, operator, expected } = condition;
  const question = byLinkId.get(name);
  if (!question) return find(item, 'condition_question_missing', 'error', `${field}.question`, name);
  if (question === item) return find(item, 'condition_on_itself', 'error', `${field}.question`, name);
  if (expected === undefined) return find(item, 'condition_answer_missing', 'error', field);
  if (!question.isQuestion) return find(item, 'condition_question_missing', 'error', `${field}.question`, name);
  if (operator === 'exists') {
    if (typeof expected !== 'boolean') find(item, 'condition_answer_wrong_type', 'error', field, 'answerBoolean');
  } else if (!canBeSaid(question, expected)) find(item, 'condition_answer_wrong_type', 'warning', field, question.type);
}

/** Could this ever be the answer to that question? (An option that is not offered, a text for a number: the condition never holds.) */
function canBeSaid(question: FormItem, expected: Value): boolean {
  if (question.type === 'quantity') return typeof expected === 'object' && 'value' in expected;
  if (question.options.length > 0) {
    if (typeof expected === 'object' && 'code' in expected && optionFor(question.options, expected.code)) return true;
    return (
      question.takesOther ||
      optionFor(question.options, expected) !== undefined ||
      question.options.some(({ kind }) => kind === 'valueInteger')
    );
  }
  if (question.type === 'date' || question.type === 'dateTime') return typeof expected === 'string';
  if (question.type === 'decimal' || question.type === 'integer') return typeof expected === 'number';
  return kindProblem(question, expected) === undefined;
}

function checkOptions(item: FormItem, { questionnaire }: Form, find: Find): void {
  const { source, options, type } = item;
  const isChoice = type === 'choice' || type === 'open-choice';
  const set = source.answerValueSet;
  if (set && isChoice && (source.answerOption?.length ?? 0) === 0 && options.length === 0) {
    const isOwn = set.startsWith('#');
    const isMissing = isOwn && containedSet(set, questionnaire) === undefined;
    find(
      item,
      isMissing ? 'value_set_missing' : 'value_set_elsewhere',
      isMissing ? 'error' : 'warning',
      'answerValueSet',
      set,
    );
  } else if (isChoice && options.length === 0 && item.type === 'choice')
    find(item, 'choice_without_options', 'warning', 'answerOption');
  if (
    !isChoice &&
    type !== 'unknown' &&
    source.answerOption?.length &&
    !['integer', 'date', 'time', 'string', 'text'].includes(type)
  )
    find(item, 'options_not_used', 'warning', 'answerOption', source.type);
  const twice = (source.answerOption?.length ?? 0) - options.length;
  if (twice > 0 && (isChoice || item.isQuestion)) find(item, 'option_twice', 'warning', 'answerOption', String(twice));
  for (const value of item.initial)
    if (kindProblem(item, value)) find(item, 'initial_wrong', 'warning', 'initial', String(JSON.stringify(value)));
}

function checkLimits(item: FormItem, find: Find): void {
  const regex = textOf(item.source, urls.regex);
  const flaw = regex === undefined ? undefined : patternFlaw(regex);
  if (flaw === 'too_large') find(item, 'pattern_too_large', 'error', 'extension', regex);
  if (flaw === 'not_understood') find(item, 'pattern_not_understood', 'warning', 'extension', regex);
  const { min, max, minLength = 0, maxLength = Infinity } = item;
  const isCounted = (limit: unknown) => typeof limit === 'object' && limit !== null && 'today' in limit;
  const areApart = !isCounted(min) && !isCounted(max) && (compare(min, max) ?? 0) > 0;
  if (areApart || minLength > maxLength) find(item, 'range_empty', 'error', 'extension');
  if (item.minOccurs > item.maxOccurs)
    find(item, 'occurs_empty', 'error', 'extension', `${item.minOccurs} > ${item.maxOccurs}`);
}

function checkExpressions(item: FormItem, find: Find): void {
  for (const url of [urls.calculated, urls.enabledBy, urls.initialBy]) {
    const found = extensionOf(item.source, url);
    if (found && !expressionOf(found)) {
      const value = found['valueExpression'] as { language?: unknown } | undefined;
      find(item, 'expression_language', 'error', 'extension', String(value?.language ?? ''));
    }
  }
}

/** What a form would cost each phone and the server: answers in all its lists, and questions it starts with. */
function checkSize(form: Form, find: Find): void {
  const lists = new Set<readonly unknown[]>();
  let options = 0;
  for (const item of form.all) {
    for (const list of [item.options, item.units]) {
      if (lists.has(list)) continue;
      lists.add(list);
      options += list.length;
      if (options <= limits.allOptions || options - list.length > limits.allOptions) continue;
      find(item, 'too_many_options_in_all', 'error', '', String(limits.allOptions));
    }
  }
  const starting = new Map<FormItem | undefined, number>();
  const repetitionsOf = (item: FormItem | undefined): number => {
    if (!item) return 1;
    let count = starting.get(item);
    if (count === undefined) {
      count = repetitionsOf(item.parent) * (item.type === 'group' && item.repeats ? Math.max(item.minOccurs, 1) : 1);
      starting.set(item, count);
    }
    return count;
  };
  const isTooMany = (item: FormItem | undefined) => repetitionsOf(item) > limits.startingRepetitions;
  const repeated = form.all.filter((item) => isTooMany(item) && !isTooMany(item.parent));
  for (const item of repeated)
    find(item, 'too_many_repetitions', 'error', 'extension', String(limits.startingRepetitions));
  const { cut } = repeated.length > 0 ? { cut: undefined } : repetitionsIn(form, {});
  if (cut) find(cut, 'too_many_positions', 'error', 'extension', String(limits.positions));
}

/** Items that wait for each other, directly or around several corners, and rows of waiting that are too long to follow. */
function checkCircles({ all, byLinkId }: Form, find: Find): void {
  const waitsFor = (item: FormItem) => [
    ...item.conditions.map(({ question }) => byLinkId.get(question)).filter((one) => one !== undefined && one !== item),
    ...(item.parent ? [item.parent] : []),
  ];
  const depth = new Map<FormItem, number>();
  const told = new Set<FormItem>();
  for (const start of all) {
    const path: { item: FormItem; next: FormItem[]; deepest: number }[] = [];
    const onPath = new Set<FormItem>();
    const enter = (item: FormItem) => {
      path.push({ item, next: waitsFor(item) as FormItem[], deepest: 0 });
      onPath.add(item);
    };
    if (!depth.has(start)) enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.next.pop();
      if (!next) {
        path.pop();
        onPath.delete(top.item);
        depth.set(top.item, top.deepest + 1);
        const above = path.at(-1);
        if (above) above.deepest = Math.max(above.deepest, top.deepest + 1);
      } else if (onPath.has(next)) {
        const circle = path.slice(path.findIndex(({ item }) => item === next)).map(({ item }) => item);
        if (!circle.some((item) => told.has(item)))
          find(
            next,
            'conditions_in_a_circle',
            'error',
            'enableWhen',
            [...circle, next].map(({ linkId }) => linkId).join(' → '),
          );
        for (const item of circle) told.add(item);
      } else if (depth.has(next)) top.deepest = Math.max(top.deepest, depth.get(next) ?? 0);
      else enter(next);
    }
  }
  for (const [item, deep] of depth) {
    if (deep <= longestChain) continue;
    return find(item, 'too_deep', 'error', 'enableWhen', String(longestChain));
  }
}

function checkOutcomes({ questionnaire, byLinkId }: Form, find: Find): void {
  for (const { when } of outcomeRules(questionnaire))
    for (const { question } of when)
      if (!byLinkId.get(question)?.isQuestion)
        find(undefined, 'condition_question_missing', 'error', 'extension', question);
}

/** Words a patient reads that have no Spanish of their own are counted, and told once. */
function checkTranslations({ all, questionnaire }: Form, find: Find): void {
  const isMissing = (text: string | undefined, beside: Beside | undefined) =>
    text !== undefined && /\p{L}{2}/u.test(text) && translated(undefined, beside, 'es') === '';
  let missing = isMissing(questionnaire.title, questionnaire._title) ? 1 : 0;
  const lists = new Set<readonly unknown[]>();
  for (const { source, options, hidden } of all) {
    if (hidden) continue;
    if (isMissing(source.text, source._text)) missing += 1;
    if (lists.has(options)) continue;
    lists.add(options);
    for (const { source: option } of options) {
      const { valueString, _valueString, valueCoding } = option;
      if (isMissing(valueString, _valueString) || isMissing(valueCoding?.display, valueCoding?._display)) missing += 1;
    }
  }
  if (missing > 0) find(undefined, 'not_translated', 'warning', '', String(missing));
}
