import type { FiledAnswer, FormAnswers } from '#contract/forms/desk.ts';
import type { QuestionnaireResponse } from '#questionnaire/questionnaire.ts';
import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import type { OfficeCtx } from '#server/context.ts';
import { linkToFile } from '#server/features/files/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { filingClock } from './filing-clock.ts';
import type { AnswerSection, AnswerWithFiles } from './answer-sections.ts';
import { filedFormByKey, picturesOfEpisode, surveyByKey } from './answers-sql.ts';
import { namesByType } from './definition-sql.ts';
import { readDefinition } from './definitions.ts';
import { handOutPdf } from './download-forms.ts';
import { picturesOfVisit } from './file-sql.ts';
import { readSectionsInWorker } from './form-work.ts';

/** A form rarely has more than four; any others are in the PDF. */
const mostPictures = 20;

type About = Omit<FormAnswers, 'sections' | 'highlights'>;

interface FiledForm {
  about: About;
  definitionId: string;
  response: QuestionnaireResponse;
  filledBy: string;
  launch?: LaunchContext | undefined;
  pictures: Picture[];
}

interface Picture {
  id: string;
  objectKey: string;
  contentType: string;
}

/** The answers of a filed form or survey as text, in the reader's language. It counts as opening the form. */
export async function readFormAnswers(
  ctx: OfficeCtx,
  formKey: { key: string; bucket?: string | undefined },
): Promise<FormAnswers> {
  await handOutPdf(ctx, formKey, 'form.open');
  const { form, questionnaire } = await ctx.transaction(async (tx) => {
    const filed = (await findForm(tx, ctx, formKey.key)) ?? (await findSurvey(tx, ctx, formKey.key));
    if (!filed) throw new Refusal('form_not_found');
    const definition = await readDefinition(tx, ctx.officeId, filed.definitionId);
    if (!definition) throw new Error('the definition of a filed form is missing');
    return { form: filed, questionnaire: definition.questionnaire };
  });
  const { about, response, filledBy, launch, pictures } = form;
  const { language, timeZone, officeId } = ctx;
  const answered = {
    questionnaire,
    response,
    language,
    clock: filingClock(new Date(about.completedAt), timeZone),
    launch,
    filledBy,
  };
  const sections = await readSectionsInWorker(answered, officeId);
  const urls = await linksToPictures(ctx, sections, pictures);
  const withUrls = ({ pictures: files, ...answer }: AnswerWithFiles): FiledAnswer => ({
    ...answer,
    pictures: files.map(({ fileId, description }) => ({ description, url: urls.get(fileId) ?? null })),
  });
  const shown = sections.map(({ title, answers }) => ({ title, answers: answers.map(withUrls) }));
  return { ...about, highlights: highlightsOf(shown.flatMap(({ answers }) => answers)), sections: shown };
}

/** Answers to review first, also those left blank; then the allergies. */
function highlightsOf(answers: readonly FiledAnswer[]): FiledAnswer[] {
  const allergies = answers.filter(({ mark, answers: texts }) => mark === 'allergy' && texts.length > 0);
  return [...answers.filter(({ mark }) => mark === 'review'), ...allergies];
}

async function findForm(tx: Tx, { officeId, language }: OfficeCtx, key: string): Promise<FiledForm | undefined> {
  const row = await filedFormByKey(tx, officeId, key);
  if (!row?.completedAt) return undefined;
  const { id, patientName, birthDate, outcome, definitionId, response, filledBy } = row;
  const [names, pictures] = await Promise.all([
    namesByType(tx, officeId),
    picturesOfVisit(tx, officeId, row.visitId, null),
  ]);
  const about = {
    id,
    patientName,
    birthDate,
    formName: names.get(row.formType)?.[language] ?? row.formName,
    completedAt: row.completedAt.toISOString(),
    outcome,
    amended: row.state === 'amended',
    supersededAt: row.supersededAt?.toISOString() ?? null,
  };
  const launch = (row.launchContext ?? undefined) as LaunchContext | undefined;
  return { about, definitionId, response, filledBy, launch, pictures };
}

async function findSurvey(tx: Tx, { officeId, language }: OfficeCtx, key: string): Promise<FiledForm | undefined> {
  const row = await surveyByKey(tx, officeId, key, language);
  if (!row?.completedAt) return undefined;
  const { id, patientName, formName, definitionId, response } = row;
  const about = {
    id,
    patientName,
    birthDate: null,
    formName,
    completedAt: row.completedAt.toISOString(),
    outcome: null,
    amended: false,
    supersededAt: null,
  };
  const launch = (row.launchContext ?? undefined) as LaunchContext | undefined;
  const pictures = await picturesOfEpisode(tx, officeId, row.episodeId);
  return { about, definitionId, response, filledBy: patientName, launch, pictures };
}

/** Short-lived URLs of the pictures in the answers, by file. */
async function linksToPictures(
  ctx: OfficeCtx,
  sections: readonly AnswerSection[],
  pictures: readonly Picture[],
): Promise<Map<string, string | null>> {
  const used = new Set(
    sections.flatMap(({ answers }) => answers.flatMap((answer) => answer.pictures.map(({ fileId }) => fileId))),
  );
  const shown = pictures.filter(({ id }) => used.has(id)).slice(0, mostPictures);
  return new Map(
    await Promise.all(shown.map(async (picture) => [picture.id, await linkToPicture(ctx, picture)] as const)),
  );
}

/** Null while the file store is away: the text can be read without it. */
async function linkToPicture(ctx: OfficeCtx, { objectKey, contentType }: Picture): Promise<string | null> {
  const fileName = contentType === 'image/png' ? 'signature.png' : 'photo.jpg';
  try {
    return (await linkToFile(ctx, objectKey, fileName)).url;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'files_away') return null;
    throw error;
  }
}
