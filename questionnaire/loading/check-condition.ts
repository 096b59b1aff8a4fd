import { kindProblem } from '#questionnaire/checking/invalid-values.ts';
import type { Form } from '#questionnaire/form.ts';
import type { Condition, FormItem } from '#questionnaire/form-item.ts';
import { optionFor } from '#questionnaire/options.ts';
import type { Coding } from '#questionnaire/questionnaire.ts';
import { limitOn, type Limit } from '#questionnaire/value-limits.ts';
import type { Value } from '#questionnaire/values.ts';
import { isNamedByText } from './check-options.ts';
import type { ReportItem } from './report-item.ts';

/** Reports a condition that never holds, or that nobody can evaluate. */
export function checkCondition(
  item: FormItem,
  { question: linkId, operator, expected }: Condition,
  field: string,
  { byLinkId }: Form,
  report: ReportItem,
): void {
  const question = byLinkId.get(linkId);
  if (!question) return report(item, 'condition_question_missing', 'error', `${field}.question`, linkId);
  if (question === item) return report(item, 'condition_on_itself', 'error', `${field}.question`, linkId);
  if (expected === undefined) return report(item, 'condition_answer_missing', 'error', field);
  if (!question.isQuestion) return report(item, 'condition_question_missing', 'error', `${field}.question`, linkId);
  if (operator === 'exists') {
    if (typeof expected !== 'boolean') report(item, 'condition_answer_wrong_type', 'error', field, 'answerBoolean');
  } else if (!isPossibleAnswer(question, expected))
    report(item, 'condition_answer_wrong_type', 'warning', field, question.type);
  else if (isNamedByText(question, expected))
    report(item, 'coding_by_display', 'warning', field, (expected as Coding).display);
}

/** Could this ever be the answer to that question? Not if it is an option that is not offered, or a text for a number. */
function isPossibleAnswer(question: FormItem, limit: Limit): boolean {
  // A day counted from today is compared with dates only.
  const expected = limitOn(limit, '2000-01-01');
  if (expected === undefined) return false;
  if (question.type === 'quantity') return typeof expected === 'object' && 'value' in expected;
  if (question.options.length > 0) return isPossibleChoice(question, expected);
  if (question.type === 'date' || question.type === 'dateTime') return typeof expected === 'string';
  if (question.type === 'decimal' || question.type === 'integer') return typeof expected === 'number';
  return kindProblem(question, expected) === undefined;
}

function isPossibleChoice({ options, takesOther }: FormItem, expected: Value): boolean {
  if (takesOther || optionFor(options, expected) !== undefined) return true;
  // A condition may name a text option as a code, and compare with a number that is not offered.
  if (typeof expected === 'object' && 'code' in expected && optionFor(options, expected.code)) return true;
  return options.some(({ kind }) => kind === 'valueInteger');
}
