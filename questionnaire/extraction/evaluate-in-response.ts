import type { Clock } from '#questionnaire/expressions/office-clock.ts';
import type { Expressions } from '#questionnaire/expressions/expression-library.ts';
import { namesOf, type NamedExpression } from '#questionnaire/expressions/names.ts';
import { readExpression } from '#questionnaire/expressions/read-expression.ts';
import { formOf } from '#questionnaire/form.ts';
import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { linkIdOfItem, type ExtractableResponse, type Extraction, type ExtractionProblem } from './extracted.ts';
import type { ItemInResponse } from './items-in-response.ts';

/** Evaluates expressions on a filed response, with the questionnaire's variables and the ids that were allocated. */
export function evaluatorIn(
  questionnaire: Questionnaire,
  response: ExtractableResponse,
  { expressions, clock, launch }: { expressions: Expressions; clock: Clock; launch?: LaunchContext | undefined },
  report: (problem: ExtractionProblem) => void,
): Extraction['evaluate'] {
  const names = namesOf(formOf(questionnaire));
  const resource = response;

  function variablesOf(expression: string, responseItem: ItemInResponse | undefined, before: number, deep: number) {
    const variables: Record<string, unknown> = {};
    for (const name of readExpression(expression).names) {
      const found = names.find(name, responseItem?.item, before);
      if (found && deep > 0) variables[name] = variableOf(found, responseItem, deep);
      else if (!found && launch && Object.hasOwn(launch, name)) variables[name] = launch[name];
    }
    return variables;
  }

  function variableOf(
    { owner, expression, position }: NamedExpression,
    responseItem: ItemInResponse | undefined,
    deep: number,
  ) {
    let at: ItemInResponse | undefined = responseItem;
    while (at && at.item !== owner) at = at.parent;
    const variables = variablesOf(expression, at, position, deep - 1);
    return expressions.variable(questionnaire, expression, {
      resource,
      at: at?.at ?? '',
      variables,
      clock,
      question: owner?.source,
    });
  }

  return (expression, responseItem, ids) => {
    try {
      const variables = { ...variablesOf(expression, responseItem, Infinity, maxVariables), ...ids };
      const context = { resource, at: responseItem?.at ?? '', variables, clock, question: responseItem?.item.source };
      return expressions.evaluate(questionnaire, expression, context).map(asJson);
    } catch {
      report({ code: 'expression', linkId: linkIdOfItem(responseItem?.item), detail: expression });
      return [];
    }
  };
}

/** Variables that use each other in a circle end after this many. */
const maxVariables = 20;

/** Some results are objects of the library. */
function asJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'object' && value !== null ? (JSON.parse(JSON.stringify(value)) as unknown) : value;
}
