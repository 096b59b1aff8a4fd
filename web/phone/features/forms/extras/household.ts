import { listVisitForms, readVisitForm } from '#contract/forms/filling.ts';
import { householdAnswers, withHousehold } from '#questionnaire/extras/household.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { call } from '#web/kit/call.ts';
import type { FormKey } from '#web/phone/features/forms/form-address.ts';

/** Copies the household answers of another family member's same form. Null if nobody gave any, or the network is lost. */
export async function copyHouseholdAnswers(
  questionnaire: Questionnaire,
  answers: Answers,
  key: FormKey,
  today: string,
  signal: AbortSignal,
): Promise<{ name: string; answers: Answers } | null> {
  const { token, memberId: ownMemberId, formType } = key;
  const list = await call(listVisitForms, { params: { token } }, { signal }).catch(() => null);
  for (const { memberId, name, forms } of list?.members ?? []) {
    const hasForm = forms.some((form) => form.formType === formType && form.state !== 'missing');
    if (memberId === ownMemberId || !hasForm) continue;
    const other = await call(readVisitForm, { params: { ...key, memberId } }, { signal }).catch(() => null);
    const shared = householdAnswers(questionnaire, (other?.answers ?? {}) as Answers, { today });
    if (Object.keys(shared).length > 0) return { name, answers: withHousehold(questionnaire, answers, shared) };
  }
  return null;
}
