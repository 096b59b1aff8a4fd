import { constraintsOf } from '#questionnaire/checking/constraints.ts';
import { patternFlaw } from '#questionnaire/checking/pattern.ts';
import { expressionOf, extensionOf, extensionsOf, textOf, urls } from '#questionnaire/extensions.ts';
import type { Form } from '#questionnaire/form.ts';
import { takesNoPhoto, type FormItem } from '#questionnaire/form-item.ts';
import type { Extension, FhirElement } from '#questionnaire/questionnaire.ts';
import { unreadLimit } from '#questionnaire/value-limits.ts';
import { compareValues } from '#questionnaire/values.ts';
import { checkCondition } from './check-condition.ts';
import { checkInitialValues, checkOptions } from './check-options.ts';
import type { ReportItem } from './report-item.ts';

/** Reports what cannot work in one item, or not as its author expects. */
export function checkItem(item: FormItem, form: Form, report: ReportItem): void {
  checkType(item, report);
  checkContent(item, report);
  item.conditions.forEach((condition, i) => checkCondition(item, condition, `enableWhen[${i}]`, form, report));
  if (item.conditions.length > 1 && !item.source.enableBehavior)
    report(item, 'behavior_missing', 'warning', 'enableBehavior');
  checkOptions(item, form, report);
  checkInitialValues(item, report);
  checkPattern(item, report);
  checkRanges(item, report);
  checkExpressionLanguages(item, report);
  checkAssembled(item, report);
}

function checkType(item: FormItem, report: ReportItem): void {
  const { source, type } = item;
  if (type === 'reference') report(item, 'reference_typed', 'warning', 'type');
  if (takesNoPhoto(item)) report(item, 'file_is_no_photo', 'warning', 'extension', item.mimeTypes.join(', '));
  if (type !== 'unknown') return;
  const isR5 = source.type === 'coding' || source.type === 'question';
  if (isR5) report(item, 'other_version', 'error', 'type', 'R5');
  else report(item, 'type_unknown', 'warning', 'type', source.type);
}

function checkContent(item: FormItem, report: ReportItem): void {
  const { source, type } = item;
  if (item.isQuestion && !source.text?.trim() && !item.hidden) report(item, 'text_missing', 'warning', 'text');
  if (type === 'group' && (source.item?.length ?? 0) === 0) report(item, 'group_without_items', 'warning');
  if (type === 'display' && source.item?.length) {
    const hasQuestions = item.children.some((child) => child.type !== 'display');
    report(item, 'display_with_items', hasQuestions ? 'error' : 'warning');
  }
}

function checkPattern(item: FormItem, report: ReportItem): void {
  const regex = textOf(item.source, urls.regex);
  const flaw = regex === undefined ? undefined : patternFlaw(regex);
  if (flaw === 'too_large') report(item, 'pattern_too_large', 'error', 'extension', regex);
  if (flaw === 'not_understood') report(item, 'pattern_not_understood', 'warning', 'extension', regex);
}

function checkRanges(item: FormItem, report: ReportItem): void {
  const { min, max, minLength = 0, maxLength = Infinity, minOccurs, maxOccurs } = item;
  const isRelative = (limit: unknown) => typeof limit === 'object' && limit !== null && 'today' in limit;
  const isMinAboveMax = !isRelative(min) && !isRelative(max) && (compareValues(min, max) ?? 0) > 0;
  if (isMinAboveMax || minLength > maxLength) report(item, 'range_empty', 'error', 'extension');
  for (const url of [urls.minValue, urls.maxValue, urls.minQuantity, urls.maxQuantity]) {
    const limit = unreadLimit(item.source, url);
    if (limit !== undefined) report(item, 'limit_not_understood', 'warning', 'extension', limit);
  }
  if (minOccurs > maxOccurs) report(item, 'occurs_empty', 'error', 'extension', `${minOccurs} > ${maxOccurs}`);
}

/** Reports expressions in CQL, FHIR searches and others that are not evaluated. Only a condition makes the form unusable by that. */
function checkExpressionLanguages(item: FormItem, report: ReportItem): void {
  for (const url of [urls.calculated, urls.enabledBy, urls.initialBy, urls.answersBy, urls.candidatesBy]) {
    const extension = extensionOf(item.source, url);
    if (!extension || expressionOf(extension)) continue;
    const { language, expression } = foreignExpression(extension);
    if (url === urls.enabledBy) report(item, 'condition_language', 'error', 'extension', language, expression);
    else report(item, 'expression_language', 'warning', 'extension', language, expression);
  }
  checkVariableLanguages(item, item.source, report);
  checkConstraints(item, item.source, report);
}

/** Reports variables that are not evaluated. */
export function checkVariableLanguages(item: FormItem | undefined, owner: FhirElement, report: ReportItem): void {
  for (const extension of extensionsOf(owner, urls.variable)) {
    if (expressionOf(extension)) continue;
    const { language, expression } = foreignExpression(extension);
    report(item, 'expression_language', 'warning', 'extension', language, expression);
  }
}

/** Reports constraints that are not evaluated. */
export function checkConstraints(item: FormItem | undefined, owner: FhirElement, report: ReportItem): void {
  for (const constraint of constraintsOf(owner))
    if (constraint.expression === undefined)
      report(item, 'constraint_not_checked', 'warning', 'extension', constraint.language);
}

function foreignExpression(extension: Extension): { language: string; expression: string } {
  const value = (extension['valueExpression'] ?? {}) as { language?: unknown; expression?: unknown };
  const text = (code: unknown) => (typeof code === 'string' ? code : '');
  return { language: text(value.language) || '?', expression: text(value.expression) };
}

/** Reports an item that stands for the items of another questionnaire. */
function checkAssembled(item: FormItem, report: ReportItem): void {
  const other = textOf(item.source, urls.subQuestionnaire);
  if (other !== undefined) report(item, 'not_assembled', 'error', 'extension', other);
}
