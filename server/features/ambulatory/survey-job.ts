import { reminderHours } from '#contract/ambulatory/surveys.ts';
import type { OfficeScope, Services } from '#server/context.ts';
import { textBlockOf } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf } from '#server/kit/day.ts';
import { isDatabaseAway, type Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { officeRow } from '#server/office-row.ts';
import { dueEpisodes, lockFreeEpisode, setEpisode, type EpisodeRow } from './episode-sql.ts';
import { textEpisode, type EpisodeText } from './episode-texts.ts';
import { clockOf } from './patients.ts';
import { planOf, questionnaireOf, type PlanEntry } from './plan.ts';
import { insertSurvey, setSurvey, surveysOf, type SurveyRow } from './survey-sql.ts';
import { isNight, nextLook, nextReminderAt, nextSurvey, openUntil, remindersOver, type Clock } from './survey-times.ts';

const batch = 50;
const minuteMs = 60_000;

/**
 * Looks at the episodes that are due: asks the survey of the day, reminds, or sets the time of the next look. Each is one transaction under the
 * episode's lock, with the text in the ledger, so a process that is killed asks nothing twice and nothing is lost. True if more may be due.
 */
export async function askDueSurveys(services: Services): Promise<boolean> {
  const due = await dueEpisodes(services.pool, services.now(), batch);
  let failed = 0;
  for (const { officeId, episodeId } of due) {
    const scope = officeScope(services, officeId, { kind: 'timer', id: null, name: null }, 'surveys');
    await lookAtEpisode(scope, episodeId).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      failed++;
      services.log.error({ job: 'surveys', episode: episodeId, err: error }, 'one survey failed');
      return postpone(scope, episodeId);
    });
  }
  return due.length === batch && failed === 0;
}

/** An episode that fails must not keep the others from their turn. */
async function postpone(scope: OfficeScope, id: string): Promise<void> {
  const { officeId } = scope;
  const nextAt = new Date(scope.now().getTime() + 10 * minuteMs);
  await scope.transaction((tx) => setEpisode(tx, { officeId, id }, { nextAt }));
}

/** If a limit of texts refuses, the survey is opened all the same, and its text is tried again. */
async function lookAtEpisode(scope: OfficeScope, episodeId: string): Promise<void> {
  try {
    await scope.transaction((tx) => advanceEpisode(tx, scope, episodeId, { mayText: true }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const waitMs = Math.min(Math.max((error.retryAfterSeconds ?? 3_600) * 1000, minuteMs), 60 * minuteMs);
    const retryAt = new Date(scope.now().getTime() + waitMs);
    await scope.transaction((tx) => advanceEpisode(tx, scope, episodeId, { mayText: false, retryAt }));
  }
}

/** Checks the row again under its lock: another process may have been faster, or the patient may have declined. */
export async function advanceEpisode(
  tx: Tx,
  scope: OfficeScope,
  episodeId: string,
  { mayText, retryAt }: { mayText: boolean; retryAt?: Date },
): Promise<void> {
  const now = scope.now();
  const episode = await lockFreeEpisode(tx, scope.officeId, episodeId);
  if (!episode?.nextAt || episode.nextAt > now) return;
  if (episode.state !== 'active') return setEpisode(tx, episode, { nextAt: null });

  const clock = clockOf(await officeRow(tx, scope.officeId));
  const plan = await planOf(tx, scope);
  const surveys = await surveysOf(tx, scope.officeId, episode.id);
  const next = nextSurvey(clock, episode, { plan, surveys, now });
  if (next && next.at <= now) surveys.unshift(await askSurvey(tx, scope, episode, clock, next.entry));

  const [newest] = surveys;
  const texted = newest && mayText ? await textAbout(tx, scope, episode, clock, newest) : newest;
  const following = nextSurvey(clock, episode, { plan, surveys, now });
  await setEpisode(tx, episode, {
    nextAt: nextLook(now, [following?.at, texted && nextTextAt(texted, clock, now), retryAt]),
  });
}

/** Opens the survey of a day. Its text follows. */
async function askSurvey(
  tx: Tx,
  scope: OfficeScope,
  episode: EpisodeRow,
  { timeZone }: Clock,
  { type, day, formType, photo }: PlanEntry,
): Promise<SurveyRow> {
  const { officeId } = scope;
  const form = await questionnaireOf(tx, officeId, { type, formType });
  const dueOn = dayOf(scope.now(), timeZone);
  const survey = await insertSurvey(tx, {
    officeId,
    id: scope.id(),
    episodeId: episode.id,
    type,
    day,
    dueOn,
    openUntil: openUntil(timeZone, dueOn, type),
    definitionId: form.id,
    formType: form.formType,
    formVersion: form.version,
    formName: JSON.stringify(form.name),
    photo,
    createdAt: scope.now(),
  });
  await writeAuditEntry(tx, scope, {
    action: 'survey.send',
    subject: survey.id,
    details: { day, episode: episode.id },
  });
  await sendHint(tx, { office: officeId, type: 'ambu' });
  return survey;
}

/** Texts a survey that was not texted yet, or its reminder. Never at night, and only on the survey's day. */
async function textAbout(
  tx: Tx,
  scope: OfficeScope,
  episode: EpisodeRow,
  clock: Clock,
  survey: SurveyRow,
): Promise<SurveyRow> {
  const now = scope.now();
  if (survey.submittedAt || survey.dueOn !== dayOf(now, clock.timeZone)) return survey;
  const over = survey.textedAt ? remindersOver(survey.textedAt, now) : 0;
  const sentence: EpisodeText = survey.textedAt ? 'reminder' : survey.type;
  if (survey.textedAt && over <= survey.remindersOver) return survey;

  const isSilent =
    isNight(clock, now, episode.phone) || (await textBlockOf(tx, scope.officeId, episode.phone)) !== null;
  if (isSilent) return setSurvey(tx, scope.officeId, survey.id, { remindersOver: over });
  const textId = await textEpisode(tx, scope, episode, { sentence });
  return setSurvey(tx, scope.officeId, survey.id, {
    textId,
    ...(survey.textedAt ? { remindersOver: over, remindersSent: survey.remindersSent + 1 } : { textedAt: now }),
  });
}

/** When a survey's next reminder is due. Its own text, if the patient could get none, follows START at a later look at the episode. */
function nextTextAt(survey: SurveyRow, clock: Clock, now: Date): Date | null {
  if (survey.submittedAt || survey.dueOn !== dayOf(now, clock.timeZone)) return null;
  if (survey.textedAt === null || survey.remindersOver >= reminderHours.length) return null;
  return nextReminderAt(survey.textedAt, survey.remindersOver);
}
