import {
  beginAnswers,
  calculateAnswers,
  checkQuestionnaire,
  initialAnswers,
  problemsOf,
  toResponse,
  visibleItems,
  withAnswer,
} from './index.ts';

/** Loads a questionnaire, answers its questions in order, and returns the response, or what is wrong. */
export async function fillIn(json: string, given: Record<string, string | number | boolean>, today: string) {
  const { questionnaire, findings, isUsable } = checkQuestionnaire(json);
  if (!questionnaire || !isUsable) return { findings };

  let answers = await beginAnswers(questionnaire, initialAnswers(questionnaire), { today });
  let calculated = await calculateAnswers(questionnaire, answers, { today });
  for (const [linkId, value] of Object.entries(given)) {
    const place = visibleItems(questionnaire, answers, calculated.setting).find(({ item }) => item.linkId === linkId);
    if (!place) continue; // it is not asked with these answers
    answers = withAnswer(answers, place, [value]);
    calculated = await calculateAnswers(questionnaire, answers, { today });
    answers = calculated.answers;
  }

  // `setting` has what expressions decide, so everything that looks at the answers takes it.
  const problems = problemsOf(questionnaire, answers, calculated.setting);
  if (problems.length > 0) return { problems };
  return { response: toResponse(questionnaire, answers, { status: 'completed' }, calculated.setting) };
}
