import { beginAnswers, calculateAnswers } from '#questionnaire/expressions/fhirpath.ts';
import { enabledAnswers } from '#questionnaire/expressions/enabled-answers.ts';
import { fromResponse, toResponse } from '#questionnaire/expressions/response.ts';
import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import { evaluate } from '#questionnaire/evaluation.ts';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';
import { problemsOf, warningsIn } from '#questionnaire/checking/problems.ts';
import { labelOf } from '#questionnaire/options.ts';
import type { Questionnaire, QuestionnaireResponse, ResponseItem, TypedValue } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { enabledItems, initialAnswers } from '#questionnaire/visible-items.ts';
import type { GeneratedForm } from './generated-forms.ts';
import { textOf, type ComparedOutcome } from './plain-outcome.ts';
import { fillingDay } from './trait-forms.ts';

const setting: EvaluationContext = { today: fillingDay, timeZone: 'America/New_York' };

/** The questionnaire as it is loaded. */
export function loadGenerated({ name, questionnaire }: GeneratedForm): Questionnaire {
  const { questionnaire: form, isUsable, findings } = checkQuestionnaire(JSON.stringify(questionnaire));
  if (!form || !isUsable) throw new Error(`${name} was refused: ${JSON.stringify(findings)}`);
  return form;
}

/** What the engine makes of a person's answers, as it is filed. */
export async function engineOutcome(form: Questionnaire, response: QuestionnaireResponse): Promise<ComparedOutcome> {
  return outcomeOf(form, fromResponse(form, response).answers);
}

/** What the engine begins a form with. */
export async function engineBeginning(form: Questionnaire): Promise<Map<string, string>> {
  const { answers } = await outcomeOf(form, await beginAnswers(form, initialAnswers(form), setting));
  return answers;
}

async function outcomeOf(form: Questionnaire, given: Answers): Promise<ComparedOutcome> {
  const calculated = await calculateAnswers(form, given, setting);
  const answers = enabledAnswers(form, calculated.answers, calculated.setting);
  const problems = [...problemsOf(form, answers, calculated.setting), ...warningsIn(calculated.setting)];
  const places = enabledItems(evaluate(form, answers, calculated.setting), false);
  const choices = places.flatMap(({ item, key }) => {
    const { options } = calculated.setting.offered?.get(key) ?? item;
    return options.length > 0
      ? [[placeOf(key), options.map((option) => labelOf(option, 'en')).join(', ')] as const]
      : [];
  });
  return {
    answers: answersIn(toResponse(form, answers, { status: 'in-progress' }, calculated.setting)),
    offers: new Map(choices),
    problems: problems
      .map(({ code, linkId, path, isWarning }) =>
        code === 'constraint' ? `${isWarning ? 'warning' : code} ${linkId}` : `${code} ${placeOf(path)}`,
      )
      .toSorted(),
  };
}

const placeOf = (key: string) =>
  key
    .replace('#', ' ')
    .replaceAll('.', ' ')
    .replace(/^(s\d) (ups?|in|after|group|rows)/, '$1.$2');

/** The answers of a response, each under its linkId and its place in what repeats. */
export function answersIn(response: QuestionnaireResponse): Map<string, string> {
  const found = new Map<string, string>();
  const read = (items: readonly ResponseItem[], at: readonly number[]): void => {
    const times = new Map<string, number>();
    for (const { linkId, answer = [], item = [] } of items) {
      const time = times.get(linkId) ?? 0;
      times.set(linkId, time + 1);
      if (answer.length > 0)
        found.set([linkId, ...at].join(' '), answer.map((one) => textOf(one as TypedValue)).join(', '));
      const isRepeated = linkId.endsWith('.rows');
      read(item, isRepeated ? [...at, time] : at);
      for (const [i, one] of answer.entries())
        read((one as { item?: ResponseItem[] }).item ?? [], isRepeatedQuestion(linkId) ? [...at, i] : at);
    }
  };
  read(response.item ?? [], []);
  return found;
}

const isRepeatedQuestion = (linkId: string) => linkId.endsWith('.ups');
