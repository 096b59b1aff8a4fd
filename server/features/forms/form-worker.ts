/** The tasks of the form workers. They have no database, environment or secrets: they see only their input. */
import { earlierAnswers } from '#questionnaire/extras/earlier-answers.ts';
import { fromResponse } from '#questionnaire/expressions/response.ts';
import type { Questionnaire, QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import { runTask } from '#server/kit/workers/worker-tasks.ts';
import { answerCells } from './answer-cells.ts';
import { answerSections } from './answer-sections.ts';
import { extractionBundle } from './extraction-bundle.ts';
import { createFormPdf, type FormPdf, type PdfPicture } from './form-pdf.ts';
import { checkLoadedForm } from './check-loaded-form.ts';
import { prepareSubmission } from './prepare-submission.ts';
import { withinSizeLimit, jsonWithinSizeLimit } from './result-size.ts';

interface FiledForm {
  questionnaire: Questionnaire;
  response: QuestionnaireResponse;
}

export const tasks = {
  judge: checkLoadedForm,
  prepare: async (draft: Parameters<typeof prepareSubmission>[0]) => withinSizeLimit(await prepareSubmission(draft)),
  /** The answers of a filed form to the questions that this version of the questionnaire still has. */
  read: ({ questionnaire, response }: FiledForm) => withinSizeLimit(fromResponse(questionnaire, response).answers),
  /** The answers that may be offered again at the next visit. */
  readEarlier: ({ questionnaire, response }: FiledForm) =>
    withinSizeLimit(earlierAnswers(questionnaire, fromResponse(questionnaire, response).answers)),
  sections: (form: Parameters<typeof answerSections>[0]) => withinSizeLimit(answerSections(form)),
  cells: (forms: Parameters<typeof answerCells>[0]) => withinSizeLimit(answerCells(forms)),
  /** As JSON, because a value may be in it many times. */
  extract: async (form: Parameters<typeof extractionBundle>[0]) => jsonWithinSizeLimit(await extractionBundle(form)),
  formPdf: ({ form, pictures }: { form: FormPdf; pictures: ReadonlyMap<string, PdfPicture> }) =>
    createFormPdf(form, pictures),
};

runTask(tasks);
