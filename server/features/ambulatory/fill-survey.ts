import type { FormDraft } from '#contract/forms/filling.ts';
import type { OpenSurvey } from '#contract/ambulatory/episode.ts';
import { withPhotoQuestion } from '#contract/ambulatory/photo-question.ts';
import { linkIdOf } from '#questionnaire/checking/problems.ts';
import { filledValues, isBlank, type Answers } from '#questionnaire/values.ts';
import type { EpisodeCtx, EpisodeScope } from '#server/context.ts';
import {
  isPaused,
  launchContextOfSurvey,
  linkIdsOf,
  mostKeys,
  readDefinition,
  sameAnswers,
  type Definition,
} from '#server/features/forms/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { auditPatientRead } from './audit-patient-read.ts';
import { findEpisode, lockEpisode, type EpisodeRow } from './episode-sql.ts';
import { toEpisodeSurvey } from './episode-page.ts';
import { surveyStateOf } from './patients.ts';
import { findSurvey, lockSurvey, setSurvey, type SurveyRow } from './survey-sql.ts';

/** A phone saves a second after the last change and on every page. */
const perEpisode = { name: 'survey-saves', points: 200, seconds: 3600 };
const perNetwork = { name: 'survey-saves-network', points: 1_500, seconds: 3600 };

export interface OwnSurvey {
  episode: EpisodeRow;
  survey: SurveyRow;
  definition: Definition;
}

/** A survey of the caller's episode, locked with it; whether it is still open is for the caller to judge. */
export async function lockOwnSurvey(tx: Tx, ctx: EpisodeScope, surveyId: string): Promise<OwnSurvey> {
  const episode = await lockEpisode(tx, ctx.officeId, ctx.episodeId);
  return requireOwnSurvey(tx, ctx, episode, await lockSurvey(tx, ctx, surveyId));
}

/** The same for a caller who changes nothing: not locked. */
async function findOwnSurvey(tx: Tx, ctx: EpisodeScope, surveyId: string): Promise<OwnSurvey> {
  const episode = await findEpisode(tx, ctx.officeId, ctx.episodeId);
  return requireOwnSurvey(tx, ctx, episode, await findSurvey(tx, ctx, surveyId));
}

async function requireOwnSurvey(
  tx: Tx,
  ctx: EpisodeScope,
  episode: EpisodeRow | undefined,
  survey: SurveyRow | undefined,
): Promise<OwnSurvey> {
  if (!episode) throw new Refusal('episode_link_ended');
  const found = survey && (await readDefinition(tx, ctx.officeId, survey.definitionId));
  if (!survey || !found) throw new Refusal('survey_not_found');
  const questionnaire = survey.photo ? withPhotoQuestion(found.questionnaire) : found.questionnaire;
  return { episode, survey, definition: { ...found, questionnaire } };
}

/** Refuses a survey that can no longer be answered. */
export async function requireOpen(
  tx: Tx,
  ctx: EpisodeScope,
  { episode, survey, definition }: OwnSurvey,
): Promise<void> {
  if (episode.state !== 'active') throw new Refusal('episode_not_active');
  const state = surveyStateOf(survey, ctx.now());
  if (state === 'submitted') throw new Refusal('survey_submitted', { id: survey.id });
  if (state !== 'open') throw new Refusal('survey_closed', { id: survey.id });
  if (await isPaused(tx, ctx.officeId, definition.id)) throw new Refusal('survey_not_found');
}

/** A survey with its questionnaire and the answers so far. */
export async function readSurvey(ctx: EpisodeCtx, surveyId: string): Promise<OpenSurvey> {
  return ctx.transaction(async (tx) => {
    const own = await findOwnSurvey(tx, ctx, surveyId);
    await requireOpen(tx, ctx, own);
    const { survey, episode, definition } = own;
    const launch = launchContextOfSurvey(definition.questionnaire, episode);
    await auditPatientRead(tx, ctx, { action: 'survey.read-by-patient', subject: survey.id });
    return {
      ...toEpisodeSurvey(survey, episode.language, ctx.now()),
      definitionId: survey.definitionId,
      version: survey.version,
      savedAt: survey.savedAt?.toISOString() ?? null,
      questionnaire: definition.questionnaire,
      ...(launch && { launch }),
      answers: toDraft(survey).answers,
      page: survey.page,
    };
  });
}

interface SavedStep {
  definitionId: string;
  version: number;
  page: number;
  answers: Record<string, unknown[]>;
}

/** Saves a step. Repeating the same step changes nothing; if another phone saved in between, the answer is 409 with the current draft. */
export async function saveSurvey(ctx: EpisodeCtx, surveyId: string, step: SavedStep): Promise<FormDraft> {
  await limitSaves(ctx);
  if (Object.keys(step.answers).length > mostKeys) throw new Refusal('answers_too_large');
  return ctx.transaction(async (tx) => {
    const locked = await lockOwnSurvey(tx, ctx, surveyId);
    await requireOpen(tx, ctx, locked);
    const { survey, definition } = locked;
    if (step.definitionId !== survey.definitionId)
      throw new Refusal('form_outdated', { definitionId: survey.definitionId });
    requireKnownAnswers(definition, step.answers as unknown as Answers);
    if (step.version !== survey.version) {
      const isSameStep = step.version === survey.version - 1 && sameAnswers(survey.answers, step.answers);
      if (!isSameStep) throw new Refusal('form_changed', toDraft(survey));
      return toDraft(survey);
    }
    const saved = await setSurvey(tx, ctx.officeId, survey.id, {
      version: survey.version + 1,
      page: step.page,
      answers: JSON.stringify(step.answers),
      savedAt: ctx.now(),
    });
    if (survey.version === 0) await writeAuditEntry(tx, ctx, { action: 'survey.save', subject: survey.id });
    return toDraft(saved);
  });
}

async function limitSaves(ctx: EpisodeCtx): Promise<void> {
  await ctx.limits
    .takeForNetwork(perNetwork, networkOfAddress(ctx.http.address), { others: [[perEpisode, ctx.episodeId]] })
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'too_many_tries')
        throw new Refusal('too_many_saves', undefined, error.retryAfterSeconds);
      throw error;
    });
}

function requireKnownAnswers(definition: Definition, answers: Answers): void {
  const linkIds = linkIdsOf(definition);
  const foreign = Object.keys(answers).find(
    (answered) => !linkIds.has(linkIdOf(answered)) && !filledValues(answers[answered]).every(isBlank),
  );
  if (foreign !== undefined) throw new Refusal('answers_unreadable', { linkId: linkIdOf(foreign) });
}

export const toDraft = ({ definitionId, version, page, savedAt, answers }: SurveyRow): FormDraft => ({
  definitionId,
  version,
  page,
  savedAt: savedAt?.toISOString() ?? null,
  answers: answers as FormDraft['answers'],
});
