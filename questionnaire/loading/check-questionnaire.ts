import { expressionFlaw } from '#questionnaire/expressions/expression-limits.ts';
import { expressionsIn } from '#questionnaire/expressions/expressions.ts';
import { emptyNames } from '#questionnaire/expressions/names.ts';
import { textOf, urls } from '#questionnaire/extensions.ts';
import { outcomeRules } from '#questionnaire/extras/outcome.ts';
import { formOf, type Form } from '#questionnaire/form.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { checkCircles } from './check-circles.ts';
import { checkIgnored } from './check-ignored.ts';
import { checkConstraints, checkItem, checkVariableLanguages } from './check-item.ts';
import { checkSize } from './check-size.ts';
import { checkTranslations } from './check-translations.ts';
import type { Finding } from './findings.ts';
import { readQuestionnaire } from './read-questionnaire.ts';
import { reportInto, type ReportItem } from './report-item.ts';
import type { SuppliedValueSet } from './value-sets.ts';

/** A loaded questionnaire, and everything a person should know before it is switched on. */
export interface CheckedQuestionnaire {
  /** Null if it cannot even be shown. */
  questionnaire: Questionnaire | null;
  findings: Finding[];
  /** It can be switched on: no finding is an error. */
  isUsable: boolean;
}

/**
 * Checks a questionnaire, as text or as parsed JSON. Returns findings for any input and never throws. `supplied` are value sets that are not
 * in the file.
 */
export function checkQuestionnaire(input: unknown, supplied: readonly SuppliedValueSet[] = []): CheckedQuestionnaire {
  const { questionnaire, findings } = readQuestionnaire(input, supplied);
  if (questionnaire) {
    const form = formOf(questionnaire);
    const report = reportInto(findings, questionnaire);
    checkLinkIds(form, report);
    for (const item of form.all) checkItem(item, form, report);
    checkSize(form, report);
    checkEachExpression(form, report);
    checkVariableLanguages(undefined, questionnaire, report);
    checkConstraints(undefined, questionnaire, report);
    checkModule(form, report);
    checkCircles(form, report);
    checkOutcomes(form, report);
    checkIgnored(form, report);
    checkTranslations(form, report);
  }
  return {
    questionnaire,
    findings,
    isUsable: questionnaire !== null && findings.every(({ severity }) => severity !== 'error'),
  };
}

function checkLinkIds({ all, byLinkId }: Form, report: ReportItem): void {
  for (const item of all)
    if (byLinkId.get(item.linkId) !== item) report(item, 'link_id_twice', 'error', 'linkId', item.linkId);
}

function checkEachExpression(form: Form, report: ReportItem): void {
  for (const { item, kind, expression } of expressionsIn(form)) {
    const flaw = expressionFlaw(expression);
    if (flaw && kind === 'constraint') continue;
    if (flaw) report(item, flaw, 'error', 'extension', expression, expression);
    else {
      const empty = emptyNames(form, item, expression);
      for (const name of empty.undefined)
        report(item, 'name_not_defined', 'warning', 'extension', `%${name}`, expression);
      for (const name of empty.notKnown)
        report(item, 'context_not_known', 'warning', 'extension', `%${name}`, expression);
    }
  }
}

/** Reports a questionnaire that is only a part of others: it may use names that the whole form defines. */
function checkModule({ questionnaire }: Form, report: ReportItem): void {
  const expectation = textOf(questionnaire, urls.assembleExpectation) ?? '';
  if (expectation.startsWith('assemble-child'))
    report(undefined, 'part_of_a_form', 'warning', 'extension', expectation);
}

function checkOutcomes({ questionnaire, byLinkId }: Form, report: ReportItem): void {
  for (const { when } of outcomeRules(questionnaire))
    for (const { question } of when)
      if (!byLinkId.get(question)?.isQuestion)
        report(undefined, 'condition_question_missing', 'error', 'extension', question);
}
