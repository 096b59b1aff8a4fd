/** What the form workers do. They see no database, no environment and no secrets: only what a task is sent. */
import { fromResponse } from '#questionnaire/expressions/response.ts';
import type { Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { carryOut } from '#server/kit/workers/worker-tasks.ts';
import { formPaper, type FormPaper, type PaperPicture } from './form-pdf.ts';
import { judge } from './check-loaded-form.ts';
import { prepareSubmission } from './prepare-submission.ts';

interface Filed {
  questionnaire: Questionnaire;
  response: QuestionnaireResponse;
}

export const tasks = {
  judge,
  prepare: prepareSubmission,
  /** The answers of a filed form, as far as this version of the questionnaire asks them too. */
  read: ({ questionnaire, response }: Filed) => fromResponse(questionnaire, response).answers,
  paper: ({ form, pictures }: { form: FormPaper; pictures: ReadonlyMap<string, PaperPicture> }) =>
    formPaper(form, pictures),
};

carryOut(tasks);
