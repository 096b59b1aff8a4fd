import { checkQuestionnaire, type CheckedQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import { checkExpressions, needsExpressions } from '#questionnaire/expressions/expressions.ts';
import type { Expressions } from '#questionnaire/expressions/expression-library.ts';
import { formOf } from '#questionnaire/form.ts';
import { sortFindings, type Finding } from '#questionnaire/loading/findings.ts';
import { itemPaths } from '#questionnaire/loading/report-item.ts';
import { missingValueSets, type SuppliedValueSet } from '#questionnaire/loading/value-sets.ts';
import type { ProgressNote } from '#server/kit/workers/worker-tasks.ts';
import { toNewDefinition, type NewDefinition } from './new-definition.ts';

/** The result of checking a questionnaire's text. */
export interface CheckedForm {
  findings: Finding[];
  /** Null if it cannot be used. */
  definition: NewDefinition | null;
  /** The value sets that are not in the file, by their canonical addresses. */
  missingValueSets: string[];
}

/** A questionnaire's text, and value sets that are not in it. */
export interface LoadedText {
  text: string;
  supplied: readonly SuppliedValueSet[];
  /** When they take too long, the rest is still checked. */
  skipsExpressions?: boolean;
}

/** Nobody reads more findings, and each is sent to the main thread. */
const mostFindings = 200;

/**
 * Checks a questionnaire before it is used and returns how it would be stored. Runs in a worker only: a hostile questionnaire can make this
 * take hours.
 */
export async function checkLoadedForm(loaded: LoadedText, note: ProgressNote): Promise<CheckedForm> {
  const { questionnaire, findings, isUsable } = await checkWithExpressions(loaded, note);
  return {
    findings: sortFindings(findings).slice(0, mostFindings),
    definition: questionnaire && isUsable ? toNewDefinition(questionnaire) : null,
    missingValueSets: questionnaire ? missingValueSets(questionnaire).slice(0, mostFindings) : [],
  };
}

/** Also of a questionnaire that has other errors: its author learns everything at once. */
async function checkWithExpressions(
  { text, supplied, skipsExpressions }: LoadedText,
  note: ProgressNote,
): Promise<CheckedQuestionnaire> {
  const checked = checkQuestionnaire(text, supplied);
  const { questionnaire, isUsable } = checked;
  if (!questionnaire || skipsExpressions || !needsExpressions(questionnaire)) return checked;
  const { loadExpressions } = await import('#questionnaire/expressions/fhirpath.ts');
  const { byLinkId } = formOf(questionnaire);
  const paths = itemPaths(questionnaire);
  const errors = checked.findings.filter(({ severity }) => severity === 'error');
  const reported = new Set(errors.map(({ linkId = '', expression }) => `${linkId} ${expression}`));
  const found = checkExpressions(questionnaire, withNotes(await loadExpressions(), note));
  const isNew = ({ linkId = '', severity, expression }: Finding) =>
    severity === 'warning' || !reported.has(`${linkId} ${expression}`);
  const failed = found.filter(isNew).map((finding) => {
    const item = byLinkId.get(finding.linkId ?? '');
    const itemText = item?.source.text?.slice(0, 200);
    return { ...finding, place: (item && paths.get(item.source)) ?? '', ...(itemText && { itemText }) };
  });
  const isUnderstood = failed.every(({ severity }) => severity !== 'error');
  return { ...checked, findings: [...checked.findings, ...failed], isUsable: isUsable && isUnderstood };
}

/** Notes which expression is being evaluated, for the finding when time runs out. */
function withNotes(expressions: Expressions, note: ProgressNote): Expressions {
  const noted =
    (run: Expressions['variable']): Expressions['variable'] =>
    (questionnaire, expression, place) => {
      note(expression.slice(0, 120));
      return run(questionnaire, expression, place);
    };
  const { evaluate, variable } = expressions;
  return { ...expressions, evaluate: noted(evaluate) as Expressions['evaluate'], variable: noted(variable) };
}
