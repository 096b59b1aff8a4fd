import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { OfficeCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { FileAnswer } from '#server/kit/http/file-answer.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { filingClock } from './filing-clock.ts';
import { filedFormByKey, surveyByKey } from './answers-sql.ts';
import { readDefinition } from './definitions.ts';
import { handOutPdf, plainName, type FormKey } from './download-forms.ts';
import { extractedValues } from './extracted-values.ts';
import { extractInWorker } from './form-work.ts';
import { patientKey, responseResource, type FiledResponse, type ResponseResource } from './response-resource.ts';
import { normalizeForSearch } from './sql.ts';
import { safeName } from './zip.ts';

/** A filed form or survey as a FHIR R4 QuestionnaireResponse. It counts as downloading the form. */
export async function downloadResponse(ctx: OfficeCtx, formKey: FormKey): Promise<FileAnswer> {
  const row = await handOutPdf(ctx, formKey, 'form.download');
  const { resource } = await readFiled(ctx, formKey.key);
  return fhirFile(resource, `${safeName(plainName(row, ctx.timeZone))}.json`);
}

/** What a form's answers become, as a table. It counts as opening the form. */
export async function readExtractedValues(ctx: OfficeCtx, formKey: FormKey) {
  await handOutPdf(ctx, formKey, 'form.open');
  const { extracted, problems } = await extractForm(ctx, formKey.key);
  return { values: extractedValues(extracted, ctx.language), problems };
}

/** A form and what its answers become, as a FHIR transaction Bundle. It counts as downloading the form. */
export async function downloadBundle(ctx: OfficeCtx, formKey: FormKey): Promise<FileAnswer> {
  const row = await handOutPdf(ctx, formKey, 'form.download');
  const { bundle } = await extractForm(ctx, formKey.key);
  return fhirFile(bundle, `${safeName(`${plainName(row, ctx.timeZone)} values`)}.json`);
}

/** Extracts the answers of a filed form or survey, in a worker. */
async function extractForm(ctx: OfficeCtx, key: string) {
  const { filed, questionnaire, resource } = await readFiled(ctx, key);
  return extractInWorker(
    {
      questionnaire,
      resource,
      patient: filed.patient,
      clock: filingClock(filed.completedAt, ctx.timeZone),
      launch: filed.launch,
    },
    ctx.officeId,
  );
}

/** FHIR as a file to download. */
function fhirFile(resource: object, fileName: string): FileAnswer {
  const content = Buffer.from(`${JSON.stringify(resource, null, 2)}\n`);
  return {
    content,
    contentType: 'application/fhir+json; charset=utf-8',
    bytes: content.length,
    disposition: 'attachment',
    fileName,
  };
}

/** A filed form or survey, with its questionnaire in the version that was filled in. */
export async function readFiled(
  ctx: Pick<OfficeCtx, 'officeId' | 'language' | 'transaction'>,
  key: string,
): Promise<{ filed: FiledResponse; questionnaire: Questionnaire; resource: ResponseResource }> {
  return ctx.transaction(async (tx) => {
    const filed = (await findForm(tx, ctx.officeId, key)) ?? (await findSurvey(tx, ctx, key));
    if (!filed) throw new Refusal('form_not_found');
    const definition = await readDefinition(tx, ctx.officeId, filed.definitionId);
    if (!definition) throw new Error('the definition of a filed form is missing');
    const { questionnaire } = definition;
    const resource = responseResource(filed, questionnaire);
    return { filed, questionnaire, resource };
  });
}

async function findForm(tx: Tx, officeId: string, key: string): Promise<FiledResponse | undefined> {
  const row = await filedFormByKey(tx, officeId, key);
  if (!row?.completedAt) return undefined;
  const { id, definitionId, response, completedAt, firstName, lastName, birthDate, patientId } = row;
  const name = `${firstName} ${lastName}`.trim();
  const patient = {
    key: patientKey(patientId, normalizeForSearch(name), birthDate),
    firstName: firstName || null,
    lastName: lastName || null,
    name,
    birthDate,
  };
  const filledBy = row.filledBy.trim() === name ? null : row.filledBy.trim();
  const launch = (row.launchContext ?? undefined) as LaunchContext | undefined;
  return { id, definitionId, response, completedAt, patient, filledBy, launch };
}

async function findSurvey(
  tx: Tx,
  { officeId, language }: Pick<OfficeCtx, 'officeId' | 'language'>,
  key: string,
): Promise<FiledResponse | undefined> {
  const row = await surveyByKey(tx, officeId, key, language);
  if (!row?.completedAt) return undefined;
  const { id, definitionId, response, completedAt, patientName: name, patientId } = row;
  const unknown = { firstName: null, lastName: null, birthDate: null };
  const patient = { key: patientKey(patientId, normalizeForSearch(name), null), name, ...unknown };
  const launch = (row.launchContext ?? undefined) as LaunchContext | undefined;
  return { id, definitionId, response, completedAt, patient, filledBy: null, launch };
}
