import type { Clock } from '#questionnaire/expressions/office-clock.ts';
import type { Item, Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';

/** What an expression is evaluated on. */
export interface ExpressionContext {
  resource: QuestionnaireResponse;
  /** The path of the item that is the expression's context, as `item[2].item[0]`; empty for the response itself. */
  at: string;
  variables: Readonly<Record<string, unknown>>;
  clock: Clock;
  /** The item of the questionnaire that the expression belongs to (`%qitem`). */
  question?: Item | undefined;
}

/** Evaluates FHIRPath. `loadExpressions` fetches it only for a questionnaire that calculates, because it is large (200 kB). */
export interface Expressions {
  /** The result of an expression. Throws if it is not understood. */
  evaluate(questionnaire: Questionnaire, expression: string, place: ExpressionContext): unknown[];
  /** The result in the form in which other expressions use it as a variable. */
  variable(questionnaire: Questionnaire, expression: string, place: ExpressionContext): unknown;
  /** Whether it is written in FHIRPath at all. */
  isUnderstood(expression: string): boolean;
}
