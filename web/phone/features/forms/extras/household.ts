import { listVisitForms, readVisitForm } from '#contract/forms/filling.ts';
import { householdAnswers, withHousehold } from '#questionnaire/extras/household.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { call } from '#web/kit/call.ts';

interface Place {
  token: string;
  memberId: string;
  formType: string;
}

/** What another family member answered for everybody, put into these answers, and whose it was; null when nobody did, or no network tells. */
export async function fromHousehold(
  questionnaire: Questionnaire,
  answers: Answers,
  place: Place,
  today: string,
  signal: AbortSignal,
): Promise<{ name: string; answers: Answers } | null> {
  const { token, memberId: own, formType } = place;
  const list = await call(listVisitForms, { params: { token } }, { signal }).catch(() => null);
  for (const { memberId, name, forms } of list?.members ?? []) {
    if (memberId === own || forms.every((form) => form.formType !== formType || form.state === 'missing')) continue;
    const theirs = await call(readVisitForm, { params: { ...place, memberId } }, { signal }).catch(() => null);
    const same = householdAnswers(questionnaire, (theirs?.answers ?? {}) as Answers, { today });
    if (Object.keys(same).length > 0) return { name, answers: withHousehold(questionnaire, answers, same) };
  }
  return null;
}
