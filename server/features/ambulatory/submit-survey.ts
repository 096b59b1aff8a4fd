import type { Advice } from '#contract/ambulatory/episode.ts';
import { addressLine } from '#contract/practice/address-line.ts';
import type { LaunchContext } from '#questionnaire/expressions/launch-context.ts';
import type { Answers } from '#questionnaire/values.ts';
import type { EpisodeScope } from '#server/context.ts';
import {
  createFormPdfInWorker,
  launchContextOfSurvey,
  prepareFormInWorker,
  type FormPdf,
  type PdfPicture,
  type PreparedSubmission,
  type StoredPicture,
} from '#server/features/forms/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { ambuSettingsOf, officeRow, type OfficeRow } from '#server/office-row.ts';
import { raiseForSurvey } from './callbacks.ts';
import { setEpisode, type EpisodeRow } from './episode-sql.ts';
import { deleteEpisodeFile, readEpisodeFile, storeEpisodeFile, type EpisodeFile } from './files.ts';
import { picturesOf, setFilesUsed } from './file-sql.ts';
import { lockOwnSurvey, requireOpen, toDraft, type OwnSurvey } from './fill-survey.ts';
import { scoreAnswers, type ScoredAnswers } from './score-answers.ts';
import { setSurvey, surveysOf, type SurveyRow } from './survey-sql.ts';

/** Each submission costs a PDF. */
const perEpisode = { name: 'survey-submissions', points: 30, seconds: 3600 };

interface SubmittedSurvey {
  surveyId: string;
  formName: string;
  submittedAt: string;
  advice: Advice;
  callback: boolean;
}

/** What the first transaction reads. The second one refuses if it changed in the meantime. */
interface LoadedSurvey extends OwnSurvey {
  office: OfficeRow;
  launch: LaunchContext | undefined;
  files: Map<string, StoredPicture & { objectKey: string }>;
}

/**
 * Files a survey: checks it, raises a callback if an answer calls for one, stores its PDF, then saves its answers and scores in one
 * transaction. A nurse is called before the PDF is made, because neither the file store nor a PDF that fails may keep a warning sign from
 * them. Filing is idempotent. The slow work happens between transactions, not inside one.
 */
export async function submitSurvey(ctx: EpisodeScope, surveyId: string, version: number): Promise<SubmittedSurvey> {
  await ctx.limits.take(perEpisode, ctx.episodeId);
  const loaded = await ctx.transaction((tx) => loadSurvey(tx, ctx, surveyId, version));
  if (loaded.survey.submittedAt) return toSubmitted(loaded.survey, loaded.episode);

  const submittedAt = ctx.now();
  const prepared = await prepare(ctx, loaded, submittedAt);
  await ctx.transaction((tx) => callNurse(tx, ctx, loaded, prepared));
  const pdf = pdfOf(ctx, loaded, prepared, submittedAt);
  const content = await createFormPdfInWorker(pdf, () => readPictures(ctx, loaded, prepared), ctx.officeId);
  const { episodeId } = ctx;
  const file = await storeEpisodeFile(ctx, { episodeId, kind: 'pdf', content, contentType: 'application/pdf' });
  const filed = await ctx
    .transaction((tx) => fileSurvey(tx, ctx, { loaded, prepared, file, submittedAt }))
    .catch(async (error: unknown) => {
      await deleteEpisodeFile(ctx, file);
      throw error;
    });
  if (filed.objectKey !== file.objectKey) await deleteEpisodeFile(ctx, file);
  return toSubmitted(filed, loaded.episode);
}

async function loadSurvey(tx: Tx, ctx: EpisodeScope, surveyId: string, version: number): Promise<LoadedSurvey> {
  const locked = await lockOwnSurvey(tx, ctx, surveyId);
  if (!locked.survey.submittedAt) await requireReady(tx, ctx, locked, version);
  const pictures = await picturesOf(tx, ctx.officeId, ctx.episodeId);
  return {
    ...locked,
    office: await officeRow(tx, ctx.officeId),
    launch: launchContextOfSurvey(locked.definition.questionnaire, locked.episode),
    files: new Map(pictures.map((row) => [row.id, { ...row, bytes: row.bytes ?? 0 }])),
  };
}

/** Refuses a survey that is closed, empty, or was saved by another phone since. */
async function requireReady(tx: Tx, ctx: EpisodeScope, locked: OwnSurvey, version: number): Promise<void> {
  await requireOpen(tx, ctx, locked);
  const { survey } = locked;
  if (survey.version === 0)
    throw new Refusal('form_incomplete', { problems: [{ code: 'blank', linkId: '', path: '' }] });
  if (survey.version !== version) throw new Refusal('form_changed', toDraft(survey));
}

/** The last moment at which a survey that is submitted now may have been begun: one that is finished late was begun before it closed. */
const startOf = ({ openUntil }: SurveyRow, submittedAt: Date): Date =>
  new Date(Math.min(submittedAt.getTime(), openUntil.getTime() - 1));

async function prepare(ctx: EpisodeScope, loaded: LoadedSurvey, at: Date): Promise<PreparedSubmission> {
  const { survey, episode, definition, office, launch, files } = loaded;
  const prepared = await prepareFormInWorker(
    {
      questionnaire: definition.questionnaire,
      answers: survey.answers as unknown as Answers,
      files,
      today: dayOf(at, office.timeZone),
      timeZone: office.timeZone,
      startedAt: startOf(survey, at).toISOString(),
      launch,
      about: { status: 'completed', authored: at.toISOString(), language: episode.language },
    },
    ctx.officeId,
  );
  if ('problems' in prepared)
    throw new Refusal('form_incomplete', { id: survey.id, problems: prepared.problems.slice(0, 200) });
  return prepared;
}

async function readPictures(ctx: EpisodeScope, { files }: LoadedSurvey, { fileIds }: PreparedSubmission) {
  const pictures = new Map<string, PdfPicture>();
  for (const id of fileIds) {
    const file = files.get(id);
    if (!file) throw new Error('a prepared survey refers to a file that was not loaded');
    pictures.set(id, { content: await readEpisodeFile(ctx, file.objectKey), contentType: file.contentType });
  }
  return pictures;
}

function pdfOf(
  ctx: EpisodeScope,
  { survey, episode, definition, office }: LoadedSurvey,
  { answers, setting }: PreparedSubmission,
  completedAt: Date,
): FormPdf {
  const { language, name } = episode;
  return {
    language,
    questionnaire: definition.questionnaire,
    answers,
    setting,
    formName: survey.formName[language],
    formType: definition.type,
    formVersion: definition.version,
    officeName: office.name,
    officeAddress: addressLine(office),
    timeZone: office.timeZone,
    patientName: name,
    birthDate: null,
    filledBy: name,
    completedAt,
    submissionId: survey.id,
    amends: null,
    product: ctx.env.productName,
  };
}

/** Scores the answers and raises a callback if one calls for it. Does nothing if the survey was filed meanwhile: that call has done so too. */
async function callNurse(tx: Tx, ctx: EpisodeScope, loaded: LoadedSurvey, prepared: PreparedSubmission): Promise<void> {
  const locked = await lockOwnSurvey(tx, ctx, loaded.survey.id);
  if (locked.survey.submittedAt) return;
  await requireReady(tx, ctx, locked, loaded.survey.version);
  const { reasons } = await scoreSurvey(tx, locked, loaded, prepared);
  await raiseForSurvey(tx, ctx, locked.episode, reasons);
}

/** What the answers mean. Each reason for a call has the survey's day: the same answer on another day is news. */
async function scoreSurvey(
  tx: Tx,
  { episode, survey }: OwnSurvey,
  { definition, office }: LoadedSurvey,
  { answers }: PreparedSubmission,
): Promise<ScoredAnswers> {
  const before = await scoresBefore(tx, episode, survey.day);
  const scored = scoreAnswers(definition.questionnaire, answers, { settings: ambuSettingsOf(office), before });
  return { ...scored, reasons: scored.reasons.map((reason) => ({ ...reason, day: survey.day })) };
}

interface Filing {
  loaded: LoadedSurvey;
  prepared: PreparedSubmission;
  file: EpisodeFile;
  submittedAt: Date;
}

/** Writes everything that filing changes, or returns what another phone filed in the meantime. */
async function fileSurvey(
  tx: Tx,
  ctx: EpisodeScope,
  { loaded, prepared, file, submittedAt }: Filing,
): Promise<SurveyRow> {
  const { officeId } = ctx;
  const locked = await lockOwnSurvey(tx, ctx, loaded.survey.id);
  if (locked.survey.submittedAt) return locked.survey;
  await requireReady(tx, ctx, locked, loaded.survey.version);

  const { episode, survey } = locked;
  const scored = await scoreSurvey(tx, locked, loaded, prepared);
  const { stationaryPain, movementPain, advice, reasons } = scored;
  const filed = await setSurvey(tx, officeId, survey.id, {
    submittedAt,
    language: episode.language,
    answers: JSON.stringify(prepared.response),
    launchContext: loaded.launch ? JSON.stringify(loaded.launch) : null,
    stationaryPain,
    movementPain,
    advice,
    raisedCallback: reasons.length > 0,
    objectKey: file.objectKey,
    sha256: file.sha256,
    bytes: file.bytes,
  });
  await setFilesUsed(tx, officeId, [file.id, ...prepared.fileIds], submittedAt);
  await setEpisode(tx, episode, { lastType: survey.type, lastSubmittedAt: submittedAt, ...newestScores(scored) });
  await writeAuditEntry(tx, ctx, {
    action: 'survey.submit',
    subject: survey.id,
    details: { form: survey.formType, version: survey.formVersion, episode: episode.id, sha256: file.sha256 },
  });
  await sendHint(tx, { office: officeId, type: 'ambu' });
  return filed;
}

/** A survey that does not ask for pain leaves the scores as they were. */
function newestScores({ stationaryPain, movementPain }: ScoredAnswers) {
  return { ...(stationaryPain !== null && { stationaryPain }), ...(movementPain !== null && { movementPain }) };
}

/** The scores of the newest submitted survey of an earlier day. */
async function scoresBefore(tx: Tx, { officeId, id }: EpisodeRow, day: number) {
  const earlier = (await surveysOf(tx, officeId, id)).filter((row) => row.day < day && row.submittedAt !== null);
  return earlier.find((row) => row.stationaryPain !== null || row.movementPain !== null) ?? null;
}

function toSubmitted(row: SurveyRow, { language }: EpisodeRow): SubmittedSurvey {
  return {
    surveyId: row.id,
    formName: row.formName[language],
    submittedAt: (row.submittedAt ?? row.createdAt).toISOString(),
    advice: row.advice ?? 'none',
    callback: row.raisedCallback,
  };
}
