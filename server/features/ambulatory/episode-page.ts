import type { Episode, EpisodeSurvey } from '#contract/ambulatory/episode.ts';
import type { Language } from '#contract/shapes.ts';
import type { EpisodeCtx } from '#server/context.ts';
import { listedPhone } from '#server/features/addresses/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf, timeOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { usPhone } from '#server/kit/phone.ts';
import { ambuSettingsOf, officeRow } from '#server/office-row.ts';
import { auditPatientRead } from './audit-patient-read.ts';
import { callRequestedAt } from './callback-sql.ts';
import { raiseCallback } from './callbacks.ts';
import { findEpisode, lockEpisode, setEpisode, type EpisodeRow } from './episode-sql.ts';
import { endEpisode } from './episode-texts.ts';
import { clockOf, isFollowedElsewhere, surveyStateOf } from './patients.ts';
import { planOf } from './plan.ts';
import { surveysOf, type SurveyRow } from './survey-sql.ts';
import { daysBetween, dueAt } from './survey-times.ts';

/** What a patient may press in an hour, each: more than that is a program. */
const presses = { name: 'episode-presses', points: 60, seconds: 3600 };
const calls = { name: 'episode-calls', points: 10, seconds: 3600 };

/** The patient's page. */
export async function readEpisode(ctx: EpisodeCtx, conditional: ConditionalRequest): Promise<VersionedReply<Episode>> {
  return ctx.transaction(async (tx) => {
    const episode = await findEpisode(tx, ctx.officeId, ctx.episodeId);
    if (!episode) throw new Refusal('episode_link_ended');
    const body = await shownEpisode(tx, ctx, episode);
    return versionedReply(body, conditional, {
      onSend: () => auditPatientRead(tx, ctx, { action: 'episode.read-by-patient', subject: episode.id }),
      version: { ...body, now: null },
    });
  });
}

async function shownEpisode(tx: Tx, ctx: EpisodeCtx, episode: EpisodeRow): Promise<Episode> {
  const { officeId } = ctx;
  const office = await officeRow(tx, officeId);
  const settings = ambuSettingsOf(office);
  const now = ctx.now();
  // A stranger who got the text by mistake may have declined.
  const isEnded = episode.state === 'ended';
  const [plan, surveys, requestedAt, phone] = await Promise.all([
    planOf(tx, ctx),
    isEnded ? [] : surveysOf(tx, officeId, episode.id),
    callRequestedAt(tx, officeId, episode.id),
    settings.phone ?? office.phone ?? registryPhone(tx, office.npi),
  ]);
  const day = daysBetween(episode.heldOn, dayOf(now, office.timeZone));
  const next = plan.find((entry) => entry.day >= day) ?? plan[0];
  return {
    state: episode.state,
    officeName: office.name,
    npi: office.npi,
    timeZone: office.timeZone,
    officePhone: phone,
    patientName: shownName(episode),
    language: episode.language,
    episodeDate: episode.heldOn,
    day,
    surveyDays: plan.map(({ day }) => day),
    surveyTime: next ? timeOf(dueAt(clockOf(office), episode, next.day), office.timeZone) : settings.surveyTime,
    surveys: surveys.map((survey) => toEpisodeSurvey(survey, episode.language, now)),
    callRequestedAt: requestedAt?.toISOString() ?? null,
    now: now.toISOString(),
  };
}

/** Until somebody agrees, the phone may be a stranger's: no more than the greeting needs. */
function shownName({ state, name }: EpisodeRow): string {
  if (state === 'ended') return '';
  return state === 'pending' ? (name.split(' ')[0] ?? '') : name;
}

/** The practice's number in the NPI registry. Never the number that texts: nobody may answer a call to it. */
async function registryPhone(tx: Tx, npi: string): Promise<string | null> {
  const phone = await listedPhone(tx, npi);
  return phone === null ? null : usPhone(phone);
}

export function toEpisodeSurvey(row: SurveyRow, language: Language, now: Date): EpisodeSurvey {
  const state = surveyStateOf(row, now);
  return {
    id: row.id,
    type: row.type,
    day: row.day,
    formName: row.formName[language],
    state,
    started: row.version > 0,
    submittedAt: row.submittedAt?.toISOString() ?? null,
    openUntil: state === 'open' ? row.openUntil.toISOString() : null,
    advice: row.advice,
  };
}

/** Changes the episode under its lock and shows it. */
async function changeEpisode(
  ctx: EpisodeCtx,
  change: (tx: Tx, episode: EpisodeRow) => Promise<void>,
): Promise<Episode> {
  return ctx.transaction(async (tx) => {
    const episode = await lockEpisode(tx, ctx.officeId, ctx.episodeId);
    if (!episode) throw new Refusal('episode_link_ended');
    await change(tx, episode);
    await sendHint(tx, { office: ctx.officeId, type: 'ambu' });
    return shownEpisode(tx, ctx, (await findEpisode(tx, ctx.officeId, ctx.episodeId)) ?? episode);
  });
}

/** The patient agrees to the surveys; the job sends the first one. Surveys that the office ended stay ended. */
export async function consentToEpisode(
  ctx: EpisodeCtx,
  { language, email }: { language: Language; email?: string | undefined },
): Promise<Episode> {
  await ctx.limits.take(presses, ctx.episodeId);
  return changeEpisode(ctx, async (tx, episode) => {
    if (episode.state === 'ended' && episode.endedBy !== 'patient') throw new Refusal('episode_not_active');
    if (episode.state !== 'active' && (await isFollowedElsewhere(tx, episode))) throw new Refusal('episode_not_active');
    const at = ctx.now();
    await setEpisode(tx, episode, {
      state: 'active',
      endedBy: null,
      language,
      ...(email !== undefined && { email: email.trim() || null }),
      ...(episode.state !== 'active' && { consentedAt: at, nextAt: at }),
    });
    await writeAuditEntry(tx, ctx, { action: 'episode.consent', subject: episode.id, details: { language } });
  });
}

/** The language of the texts and of the surveys that follow. It agrees to nothing. */
export async function setEpisodeLanguage(ctx: EpisodeCtx, language: Language): Promise<Episode> {
  await ctx.limits.take(presses, ctx.episodeId);
  return changeEpisode(ctx, async (tx, episode) => {
    if (episode.state !== 'active') throw new Refusal('episode_not_active');
    await setEpisode(tx, episode, { language });
    await writeAuditEntry(tx, ctx, { action: 'episode.language', subject: episode.id, details: { language } });
  });
}

/** The patient wants no surveys, or no more of them. */
export async function declineEpisode(ctx: EpisodeCtx): Promise<Episode> {
  await ctx.limits.take(presses, ctx.episodeId);
  return changeEpisode(ctx, async (tx, episode) => {
    if (episode.state === 'ended') return;
    await endEpisode(tx, episode, 'patient');
    await writeAuditEntry(tx, ctx, { action: 'episode.decline', subject: episode.id });
  });
}

/** "Please call me". */
export async function requestCall(ctx: EpisodeCtx): Promise<Episode> {
  await ctx.limits.take(calls, ctx.episodeId);
  return changeEpisode(ctx, async (tx, episode) => {
    if (episode.state !== 'active') throw new Refusal('episode_not_active');
    await raiseCallback(tx, ctx, episode, [{ code: 'asked', detail: { en: '', es: '' } }]);
  });
}
