import {
  mostAmbuPatients,
  type AmbuPatientFile,
  type AmbuSort,
  type CurrentNotes,
} from '#contract/ambulatory/patients.ts';
import {
  ambuPatientsPerPage,
  type AmbuPatient,
  type EpisodeState,
  type PatientSurvey,
} from '#contract/ambulatory/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import { quietHoursOf } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { ambuSettingsOf, officeRow, type OfficeRow } from '#server/office-row.ts';
import { searchWordsOf } from '#server/search-words.ts';
import { callbacksOf, toCallback } from './callback-sql.ts';
import {
  endLinks,
  findEpisodeOf,
  lockEpisodeOf,
  otherOpenEpisodes,
  setEpisode,
  type EpisodeRow,
} from './episode-sql.ts';
import { endEpisode } from './episode-texts.ts';
import {
  conversationOfPhone,
  countPatients,
  patientPage,
  patientRow,
  toAmbuPatient,
  type ListFilter,
  type ListSetting,
} from './list-sql.ts';
import { planOf, questionnaireOf } from './plan.ts';
import { dayAfter, nextSurvey, type Clock } from './survey-times.ts';
import { medianPain, setSurvey, surveysOf, textsOfSurveys, type SurveyRow } from './survey-sql.ts';

const mostWords = 8;
const medianDays = 365;

export const clockOf = (office: OfficeRow): Clock => ({
  timeZone: office.timeZone,
  surveyTime: ambuSettingsOf(office).surveyTime,
  quiet: quietHoursOf(office),
});

async function listSetting(tx: Tx, ctx: OfficeCtx): Promise<ListSetting> {
  return { plan: await planOf(tx, ctx), clock: clockOf(await officeRow(tx, ctx.officeId)), now: ctx.now() };
}

const shownStates = ['active', 'pending'] as const satisfies readonly EpisodeState[];

interface Search {
  search?: string | undefined;
  status?: EpisodeState[] | undefined;
  forms?: ('complete' | 'incomplete')[] | undefined;
  sort?: AmbuSort | undefined;
  order?: 'asc' | 'desc' | undefined;
  page?: number | undefined;
}

/** One page of patients by name, status and forms. */
export async function searchAmbuPatients(
  ctx: OfficeCtx,
  { sort = 'newest', ...search }: Search,
  conditional: ConditionalRequest,
) {
  const { order = sort === 'name' ? 'asc' : 'desc', page: wanted = 1 } = search;
  const filter: ListFilter = {
    words: searchWordsOf(search.search ?? '').slice(0, mostWords),
    states: search.status?.length ? search.status : shownStates,
    forms: [...new Set(search.forms)],
    now: ctx.now(),
  };
  return ctx.transaction(async (tx) => {
    const total = await countPatients(tx, ctx.officeId, filter);
    const page = Math.min(wanted, Math.max(1, Math.ceil(total / ambuPatientsPerPage)));
    const at = { sort, order, offset: (page - 1) * ambuPatientsPerPage, limit: ambuPatientsPerPage };
    const rows = await patientPage(tx, ctx.officeId, filter, at);
    const setting = await listSetting(tx, ctx);
    const version = {
      patients: rows.map((row) => toAmbuPatient(row, setting)),
      total,
      page,
      pageSize: ambuPatientsPerPage,
    };
    const details = { search: filter.words.length > 0 };
    return versionedReply({ ...version, now: ctx.now().toISOString() }, conditional, {
      onSend: () => writeAuditEntry(tx, ctx, { action: 'episode.list', details }),
      version,
    });
  });
}

/** All patients of a status, for other programs. */
export async function listAmbuPatients(ctx: OfficeCtx, status?: EpisodeState): Promise<AmbuPatient[]> {
  return ctx.transaction(async (tx) => {
    const filter = { words: [], states: status ? [status] : shownStates, forms: [], now: ctx.now() };
    const at = { sort: 'newest', order: 'desc', offset: 0, limit: mostAmbuPatients } as const;
    const rows = await patientPage(tx, ctx.officeId, filter, at);
    const setting = await listSetting(tx, ctx);
    await writeAuditEntry(tx, ctx, { action: 'episode.list' });
    return rows.map((row) => toAmbuPatient(row, setting));
  });
}

export interface PatientKey {
  userCode: string;
  userId: string;
}

/** The patient's episode, locked, because the caller changes it. */
export async function requireEpisode(tx: Tx, { officeId }: OfficeCtx, key: PatientKey): Promise<EpisodeRow> {
  const episode = await lockEpisodeOf(tx, officeId, key);
  if (!episode) throw new Refusal('patient_not_found');
  return episode;
}

export async function shownPatient(tx: Tx, ctx: OfficeCtx, id: string): Promise<AmbuPatient> {
  return toAmbuPatient(await patientRow(tx, ctx.officeId, id), await listSetting(tx, ctx));
}

/** A patient with surveys, callbacks and the office's medians. */
export async function readAmbuPatient(
  ctx: OfficeCtx,
  key: PatientKey,
  conditional: ConditionalRequest,
): Promise<VersionedReply<AmbuPatientFile>> {
  return ctx.transaction(async (tx) => {
    const { officeId } = ctx;
    // Without the lock: the medians take a while, and the patient's answers and the survey job would wait for them.
    const episode = await findEpisodeOf(tx, officeId, key);
    if (!episode) throw new Refusal('patient_not_found');
    const since = new Date(ctx.now().getTime() - medianDays * 86_400_000);
    const [patient, surveys, median, callbacks, conversationId] = await Promise.all([
      shownPatient(tx, ctx, episode.id),
      surveysFor(tx, ctx, episode),
      medianPain(tx, officeId, since),
      callbacksOf(tx, officeId, episode.id),
      conversationOfPhone(tx, officeId, episode.phone),
    ]);
    const body = {
      patient,
      notesSaved: notesSavedOf(episode),
      surveys,
      median,
      callbacks: callbacks.map(toCallback),
      conversationId,
    };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'episode.read', subject: episode.id });
    return versionedReply(body, conditional, { onSend });
  });
}

/** The surveys that were asked, and those that the plan still has. */
async function surveysFor(tx: Tx, ctx: OfficeCtx, episode: EpisodeRow): Promise<PatientSurvey[]> {
  const { officeId } = ctx;
  const surveys = await surveysOf(tx, officeId, episode.id);
  const texts = await textsOfSurveys(
    tx,
    officeId,
    surveys.flatMap(({ textId }) => textId ?? []),
  );
  const shown = surveys.map((row): PatientSurvey => {
    const text = row.textId === null ? undefined : texts.get(row.textId);
    return {
      id: row.id,
      type: row.type,
      day: row.day,
      dueOn: row.dueOn,
      formName: row.formName[ctx.language],
      state: surveyStateOf(row, ctx.now()),
      textedAt: row.textedAt?.toISOString() ?? null,
      reminders: row.remindersSent,
      submittedAt: row.submittedAt?.toISOString() ?? null,
      stationaryPainScore: row.stationaryPain,
      movementPainScore: row.movementPain,
      objectKey: row.objectKey,
      lastTextState: text?.state ?? null,
      lastTextProblem: text?.errorClass ?? null,
    };
  });
  return [...shown.reverse(), ...(await plannedSurveys(tx, ctx, episode, surveys))];
}

async function plannedSurveys(
  tx: Tx,
  ctx: OfficeCtx,
  episode: EpisodeRow,
  surveys: readonly SurveyRow[],
): Promise<PatientSurvey[]> {
  if (episode.state === 'ended') return [];
  const { plan, clock, now } = await listSetting(tx, ctx);
  const next = nextSurvey(clock, episode, { plan, surveys, now });
  const entries = next === null ? [] : plan.slice(plan.indexOf(next.entry));
  const list: PatientSurvey[] = [];
  for (const entry of entries) {
    const { name } = await questionnaireOf(tx, ctx.officeId, entry);
    const { id, type, day } = entry;
    const empty = { textedAt: null, submittedAt: null, objectKey: null, lastTextState: null, lastTextProblem: null };
    const scores = { stationaryPainScore: null, movementPainScore: null };
    const dueOn = dayAfter(episode.heldOn, day);
    const shown = { id, type, day, dueOn, formName: name[ctx.language], state: 'planned', reminders: 0 } as const;
    list.push({ ...shown, ...empty, ...scores });
  }
  return list;
}

/** A patient who has answered a part before midnight may finish the survey within an hour, because an answer may call for a nurse. */
const finishMs = 60 * 60_000;

export function surveyStateOf(
  { submittedAt, openUntil, version }: Pick<SurveyRow, 'submittedAt' | 'openUntil' | 'version'>,
  now: Date,
): PatientSurvey['state'] {
  if (submittedAt) return 'submitted';
  const closesAt = openUntil.getTime() + (version > 0 ? finishMs : 0);
  return closesAt > now.getTime() ? 'open' : 'missed';
}

const notesSavedOf = ({ notesAt, notesBy }: EpisodeRow): CurrentNotes['saved'] =>
  notesAt && { at: notesAt.toISOString(), by: notesBy };

/** Saves the notes. If two desks save the same version, the second gets the first one's notes. */
export async function saveAmbuNotes(
  ctx: OfficeCtx,
  key: PatientKey,
  { notes, version }: { notes: string; version?: number | undefined },
): Promise<AmbuPatient> {
  return ctx.transaction(async (tx) => {
    const episode = await requireEpisode(tx, ctx, key);
    if (episode.notes !== notes) {
      if (version !== undefined && version !== episode.notesVersion) {
        const saved = notesSavedOf(episode);
        const current: CurrentNotes = { notes: episode.notes, version: episode.notesVersion, saved };
        throw new Refusal('notes_changed', current);
      }
      await setEpisode(tx, episode, {
        notes,
        notesVersion: episode.notesVersion + 1,
        notesAt: ctx.now(),
        notesBy: ctx.actor.name,
      });
      await writeAuditEntry(tx, ctx, { action: 'episode.notes', subject: episode.id });
      await sendHint(tx, { office: ctx.officeId, type: 'ambu' });
    }
    return shownPatient(tx, ctx, episode.id);
  });
}

export const isSameName = (one: string, other: string): boolean =>
  searchWordsOf(one).join(' ') === searchWordsOf(other).join(' ');

/** The patient was invited again since, or is followed after another surgery: then surveys would come twice. */
export async function isFollowedElsewhere(tx: Tx, episode: EpisodeRow): Promise<boolean> {
  return (await otherOpenEpisodes(tx, episode)).some((other) => isSameName(other.name, episode.name));
}

/**
 * Ends a patient's surveys and links, because the phone may be a stranger's, or takes the surveys up again: the next text has a new link. Only
 * what the office ended can be taken up: a patient who declined stays left alone.
 */
export async function setFollowUp(ctx: OfficeCtx, key: PatientKey, active: boolean): Promise<AmbuPatient> {
  return ctx.transaction(async (tx) => {
    const episode = await requireEpisode(tx, ctx, key);
    const wasEndedHere = episode.state === 'ended' && episode.endedBy === 'office';
    const isDone = active ? episode.state === 'active' : wasEndedHere;
    const mayChange = active ? wasEndedHere : episode.state === 'active';
    if (!isDone && !mayChange) throw new Refusal('episode_moved_on', await shownPatient(tx, ctx, episode.id));
    if (!isDone) {
      if (active) {
        if (await isFollowedElsewhere(tx, episode)) throw new Refusal('already_followed');
        await setEpisode(tx, episode, { state: 'active', endedBy: null, nextAt: ctx.now() });
        // The link of its text has ended: it is texted again, with a new one.
        const [newest] = await surveysOf(tx, ctx.officeId, episode.id);
        if (newest && !newest.submittedAt) await setSurvey(tx, ctx.officeId, newest.id, { textedAt: null });
      } else {
        await endEpisode(tx, episode, 'office');
        await endLinks(tx, episode, ctx.now());
      }
      await writeAuditEntry(tx, ctx, { action: 'episode.follow-up', subject: episode.id, details: { active } });
      await sendHint(tx, { office: ctx.officeId, type: 'ambu' });
    }
    return shownPatient(tx, ctx, episode.id);
  });
}
