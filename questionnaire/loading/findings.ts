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
  words?: string;
  /** The expression it is about. */
  expression?: string;
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
  | 'choice_without_options'
  | 'option_twice'
  | 'options_not_used'
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
  | 'expression_fails'
  | 'name_not_defined'
  | 'not_assembled'
  | 'part_of_a_form'
  | 'expression_too_large'
  | 'expression_endless'
  | 'expression_result_too_large'
  | 'expression_not_understood'
  | 'takes_too_long'
  | 'not_translated';

/** Nobody reads more: such a file needs other work first. */
const mostFindings = 500;

/** Adds a finding. Its empty fields are left out. */
export function addFinding(findings: Finding[], finding: Finding): void {
  if (findings.length >= mostFindings) return;
  const { code, severity, place, linkId, detail, words, expression } = finding;
  findings.push({
    code,
    severity,
    place,
    ...(linkId && { linkId }),
    ...(detail && { detail }),
    ...(words && { words }),
    ...(expression && { expression }),
  });
}
