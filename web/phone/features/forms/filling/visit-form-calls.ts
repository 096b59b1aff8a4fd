import { readVisitForm, saveVisitForm, submitVisitForm } from '#contract/forms/filling.ts';
import { call } from '#web/kit/call.ts';
import type { FormKey } from '#web/phone/features/forms/form-address.ts';
import { takePrefetchedForm } from '#web/phone/features/forms/prefetched-form.ts';
import { isOnlyMember } from '#web/phone/features/forms/use-visit-forms.ts';
import type { FormCalls } from './session-context.ts';

/** The calls of one form of a visit. */
export const visitFormCalls = (key: FormKey): FormCalls => ({
  async read(isFirst, signal) {
    const prefetched = isFirst ? takePrefetchedForm(key) : null;
    return prefetched ?? call(readVisitForm, { params: key }, { signal });
  },
  save: (body, options) => call(saveVisitForm, { params: key, body }, options),
  submit: (version, signal) => call(submitVisitForm, { params: key, body: { version } }, { signal }),
  async copyHousehold(questionnaire, answers, today, signal) {
    if (isOnlyMember(key.token)) return null;
    const { copyHouseholdAnswers } = await import('#web/phone/features/forms/extras/household.ts');
    return copyHouseholdAnswers(questionnaire, answers, key, today, signal);
  },
});
