import { readSurvey, saveSurvey, submitSurvey } from '#contract/ambulatory/episode.ts';
import { call } from '#web/kit/call.ts';
import { noteFiledSurvey } from '#web/phone/features/episode/filed-surveys.ts';
import type { FormCalls } from '#web/phone/features/forms/filling/session-context.ts';

/** The calls of one survey after surgery. */
export function surveyCalls(token: string, surveyId: string): FormCalls {
  const params = { token, surveyId };
  return {
    async read(_, signal) {
      const { type, submittedAt, started, ...survey } = await call(readSurvey, { params }, { signal });
      return {
        ...survey,
        formType: type,
        formVersion: 0,
        state: started ? 'draft' : 'missing',
        submissionId: null,
        completedAt: submittedAt,
      };
    },
    // A survey that was filed is not changed any more, so there is nothing to amend.
    save: ({ amend: _, ...body }, options) => call(saveSurvey, { params, body }, options),
    async submit(version, signal) {
      const { formName, submittedAt, ...filed } = await call(submitSurvey, { params, body: { version } }, { signal });
      noteFiledSurvey(surveyId, { ...filed, submittedAt });
      return { formName, completedAt: submittedAt };
    },
  };
}
