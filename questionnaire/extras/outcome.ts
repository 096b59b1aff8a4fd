import { evaluate, meetsCondition, type EvaluationContext } from '#questionnaire/evaluation.ts';
import { extensionsOf, translationOf, urls } from '#questionnaire/extensions.ts';
import { formOf } from '#questionnaire/form.ts';
import { optionFor } from '#questionnaire/options.ts';
import type { Language } from '#questionnaire/language/language.ts';
import {
  operators,
  type Extension,
  type FhirElement,
  type Operator,
  type Questionnaire,
} from '#questionnaire/questionnaire.ts';
import type { Answers, Value } from '#questionnaire/values.ts';

/** One rule of the `questionnaire-outcome` extension: the outcome if its conditions hold. A rule without conditions always holds. */
export interface OutcomeRule {
  outcome: string;
  behavior: 'any' | 'all';
  when: { question: string; operator: Operator; expected: Value | undefined }[];
  /** What the patient should do now, with its translations beside it. */
  advice: Extension | undefined;
}

/** The outcome rules in the questionnaire's order; the first that holds decides. */
export function outcomeRules(questionnaire: Questionnaire): OutcomeRule[] {
  return extensionsOf(questionnaire, urls.outcome).flatMap((rule) => {
    const outcome = part(rule, 'outcome')?.['valueCode'];
    if (typeof outcome !== 'string') return [];
    const behavior = part(rule, 'behavior')?.['valueCode'] === 'any' ? ('any' as const) : ('all' as const);
    const when = extensionsOf(rule, 'when').flatMap((one) => {
      const question = part(one, 'question')?.['valueString'];
      const operator = operators.find((known) => known === part(one, 'operator')?.['valueCode']);
      if (typeof question !== 'string' || !operator) return [];
      const { url: _, extension: __, ...values } = part(one, 'answer') ?? { url: '' };
      return [{ question, operator, expected: Object.values(values)[0] as Value | undefined }];
    });
    return [{ outcome, behavior, when, advice: part(rule, 'advice') }];
  });
}

/** The outcome of the answers ('clear', 'review') by the questionnaire's own rules; null if none of them holds. */
export function outcomeOf(questionnaire: Questionnaire, answers: Answers, setting?: EvaluationContext): string | null {
  return outcomeWithReasons(questionnaire, answers, setting).outcome;
}

/** The outcome, and the linkIds of the questions whose answers decided it: those of the rule's conditions that hold. */
export function outcomeWithReasons(
  questionnaire: Questionnaire,
  answers: Answers,
  setting?: EvaluationContext,
): { outcome: string | null; reasons: string[] } {
  const { rule, holds } = decidingRule(questionnaire, answers, setting);
  return {
    outcome: rule?.outcome ?? null,
    reasons: (rule?.when ?? []).filter(holds).map(({ question }) => question),
  };
}

/** What the patient should do now with these answers, by the rule that decided their outcome; empty if it says nothing. */
export function outcomeAdvice(
  questionnaire: Questionnaire,
  answers: Answers,
  setting: EvaluationContext,
  language: Language,
): string {
  const { rule } = decidingRule(questionnaire, answers, setting);
  const { valueString: text, _valueString: beside } = (rule?.advice ?? {}) as {
    valueString?: unknown;
    _valueString?: FhirElement;
  };
  return typeof text === 'string' ? translationOf(text, beside, language) : '';
}

function decidingRule(questionnaire: Questionnaire, answers: Answers, setting: EvaluationContext | undefined) {
  const evaluation = evaluate(questionnaire, answers, setting);
  const holds = ({ question, ...condition }: OutcomeRule['when'][number]) => {
    const item = evaluation.form.byLinkId.get(question);
    return meetsCondition(item && item.within.length === 0 ? evaluation.answersTo(item, []) : [], condition);
  };
  const rule = outcomeRules(questionnaire).find(({ behavior, when }) =>
    when.length === 0 ? true : behavior === 'any' ? when.some(holds) : when.every(holds),
  );
  return { rule, holds };
}

/** The sum of the chosen options' scores (`ordinalValue`); null if no chosen option has one. */
export function scoreOf(questionnaire: Questionnaire, answers: Answers, setting?: EvaluationContext): number | null {
  const evaluation = evaluate(questionnaire, answers, setting);
  const scores = formOf(questionnaire).all.flatMap((item) =>
    item.within.length > 0
      ? []
      : evaluation
          .answersTo(item, [])
          .map((value) => optionFor(item.options, value)?.score)
          .filter((score) => score !== undefined),
  );
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0);
}

function part(extension: Extension, url: string): Extension | undefined {
  return extension.extension?.find((one) => one.url === url);
}
