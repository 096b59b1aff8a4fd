import { check, placesOf, type Checked } from '#questionnaire/loading/check-questionnaire.ts';
import { checkExpressions, needsExpressions, type Expressions } from '#questionnaire/expressions/expressions.ts';
import { formOf } from '#questionnaire/form.ts';
import type { Finding } from '#questionnaire/loading/read-questionnaire.ts';
import type { Note } from '#server/kit/workers/worker-tasks.ts';
import { definitionOf, type NewDefinition } from './new-definition.ts';

/** What a questionnaire's text came to. */
export interface Judged {
  findings: Finding[];
  /** Null when it cannot be used. */
  definition: NewDefinition | null;
}

/** No reader wants more, and each one travels to the main thread. */
const mostFindings = 200;

/**
 * Everything a person should know of a questionnaire before it is used, and what it would be stored as. Only for a worker: a questionnaire
 * can be written so that this takes hours.
 */
export async function judge(text: string, note: Note): Promise<Judged> {
  const { questionnaire, findings, isUsable } = await judgeAll(text, note);
  const errorsFirst = findings.toSorted((a, b) => a.severity.localeCompare(b.severity));
  return {
    findings: findings.length > mostFindings ? errorsFirst.slice(0, mostFindings) : findings,
    definition: questionnaire && isUsable ? definitionOf(questionnaire) : null,
  };
}

async function judgeAll(text: string, note: Note): Promise<Checked> {
  const checked = check(text);
  const { questionnaire, isUsable } = checked;
  if (!questionnaire || !isUsable || !needsExpressions(questionnaire)) return checked;
  const { loadExpressions } = await import('#questionnaire/expressions/fhirpath.ts');
  const { byLinkId } = formOf(questionnaire);
  const places = placesOf(questionnaire);
  const failed = checkExpressions(questionnaire, noting(await loadExpressions(), note)).map((finding) => {
    const item = byLinkId.get(finding.linkId ?? '');
    return { ...finding, place: (item && places.get(item.source)) ?? '' };
  });
  return { ...checked, findings: [...checked.findings, ...failed], isUsable: failed.length === 0 };
}

/** Says which expression is being worked out. */
function noting({ evaluate, variable }: Expressions, note: Note): Expressions {
  const noted =
    (run: Expressions['variable']): Expressions['variable'] =>
    (questionnaire, expression, place) => {
      note(expression.slice(0, 120));
      return run(questionnaire, expression, place);
    };
  return { evaluate: noted(evaluate) as Expressions['evaluate'], variable: noted(variable) };
}
