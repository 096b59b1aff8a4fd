/** Something a person should know about a loaded questionnaire. An error prevents its use. */
export interface Finding {
  code: FindingCode;
  severity: 'error' | 'warning';
  /** Where in the file, as `item[2].enableWhen[0].question`; empty for the whole file. */
  place: string;
  linkId?: string;
  /** What the message names: a type, a linkId, a number, an address. */
  detail?: string;
  /** The item's text. */
  itemText?: string;
  /** The expression it is about. */
  expression?: string;
  /** What the file lacks: a code system, another value set, something that can be evaluated. */
  cause?: string;
}

export type FindingCode =
  | 'not_json'
  | 'not_a_questionnaire'
  | 'too_big'
  | 'too_many_items'
  | 'too_deep'
  | 'too_many_options'
  | 'too_many_options_in_all'
  | 'too_many_positions'
  | 'too_many_repetitions'
  | 'text_too_long'
  | 'text_broken'
  | 'wrong_shape'
  | 'no_items'
  | 'link_id_missing'
  | 'link_id_twice'
  | 'link_id_reserved'
  | 'type_missing'
  | 'type_unknown'
  | 'reference_typed'
  | 'other_version'
  | 'text_missing'
  | 'condition_without_question'
  | 'condition_question_missing'
  | 'condition_operator_wrong'
  | 'condition_answer_missing'
  | 'condition_answer_wrong_type'
  | 'condition_on_itself'
  | 'conditions_in_a_circle'
  | 'behavior_missing'
  | 'value_set_elsewhere'
  | 'value_set_missing'
  | 'value_set_not_reached'
  | 'value_set_not_listed'
  | 'value_set_not_asked'
  | 'code_system_missing'
  | 'value_set_import_missing'
  | 'value_set_filter'
  | 'value_set_circle'
  | 'value_set_empty'
  | 'value_set_too_large'
  | 'choice_without_options'
  | 'coding_by_display'
  | 'option_twice'
  | 'options_not_used'
  | 'options_too_few'
  | 'group_without_items'
  | 'display_with_items'
  | 'initial_wrong'
  | 'pattern_not_understood'
  | 'pattern_too_large'
  | 'range_empty'
  | 'limit_not_understood'
  | 'file_is_no_photo'
  | 'occurs_empty'
  | 'extension_not_known'
  | 'expression_language'
  | 'condition_language'
  | 'constraint_not_checked'
  | 'expression_fails'
  | 'name_not_defined'
  | 'context_not_known'
  | 'not_assembled'
  | 'part_of_a_form'
  | 'expression_too_large'
  | 'expression_endless'
  | 'expression_result_too_large'
  | 'expression_result_unfit'
  | 'expression_not_understood'
  | 'costly_when_filled'
  | 'takes_too_long'
  | 'not_read'
  | 'not_translated';

/** Nobody reads more: such a file needs other work first. */
const mostFindings = 500;

/** Adds a finding. Its empty fields are left out. Too many warnings make room for an error, which decides whether the file can be used. */
export function addFinding(findings: Finding[], finding: Finding): void {
  if (findings.length >= mostFindings) {
    const lastWarning = findings.findLastIndex((one) => one.severity === 'warning');
    if (finding.severity === 'warning' || lastWarning < 0) return;
    findings.splice(lastWarning, 1);
  }
  const { code, severity, place, linkId, detail, itemText, expression, cause } = finding;
  findings.push({
    code,
    severity,
    place,
    ...(linkId && { linkId }),
    ...(detail && { detail }),
    ...(itemText && { itemText }),
    ...(expression && { expression }),
    ...(cause && { cause }),
  });
}

/** The findings with errors first, then in the order of the file. */
export function sortFindings<F extends Pick<Finding, 'severity' | 'place'>>(findings: readonly F[]): F[] {
  const keyed = findings.map((finding) => ({ finding, steps: stepsOf(finding.place) }));
  keyed.sort((a, b) => a.finding.severity.localeCompare(b.finding.severity) || compareSteps(a.steps, b.steps));
  return keyed.map(({ finding }) => finding);
}

/** `item[2].text` as its names and numbers. */
const stepsOf = (place: string): (string | number)[] =>
  [...place.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));

function compareSteps(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  for (const [i, step] of one.entries()) {
    const beside = other[i];
    if (beside === undefined) return 1;
    if (step === beside) continue;
    if (typeof step === 'number' && typeof beside === 'number') return step - beside;
    return String(step) < String(beside) ? -1 : 1;
  }
  return one.length - other.length;
}

/** Findings of one kind: the first tells what is wrong, the others are where else. */
interface FindingGroup<F> {
  first: F;
  others: F[];
}

/** Fewer findings of one kind are shown one by one. */
const fewestAlike = 3;

/** Sorted findings, with those of one kind together at the place of the first. */
export function groupFindings<F extends { code: string; severity: Finding['severity']; place: string }>(
  findings: readonly F[],
): FindingGroup<F>[] {
  const kinds = Map.groupBy(sortFindings(findings), ({ severity, code }) => `${severity} ${code}`);
  return [...kinds.values()].flatMap((alike): FindingGroup<F>[] => {
    const [first, ...others] = alike;
    if (!first || alike.length < fewestAlike) return alike.map((finding) => ({ first: finding, others: [] }));
    return [{ first, others }];
  });
}
