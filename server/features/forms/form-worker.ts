/** What the form workers do. They see no database, no environment and no secrets: only what a task is sent. */
import { fromResponse } from '#questionnaire/expressions/response.ts';
import type { Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { carryOut } from '#server/kit/workers/worker-tasks.ts';
import { createFormPdf, type FormPdf, type PdfPicture } from './form-pdf.ts';
import { checkLoadedForm } from './check-loaded-form.ts';
import { prepareSubmission } from './prepare-submission.ts';

interface FiledForm {
  questionnaire: Questionnaire;
  response: QuestionnaireResponse;
}

export const tasks = {
  judge: checkLoadedForm,
  prepare: prepareSubmission,
  /** The answers of a filed form, as far as this version of the questionnaire asks them too. */
  read: ({ questionnaire, response }: FiledForm) => fromResponse(questionnaire, response).answers,
  paper: ({ form, pictures }: { form: FormPdf; pictures: ReadonlyMap<string, PdfPicture> }) =>
    createFormPdf(form, pictures),
};

carryOut(tasks);
