import { isDeepStrictEqual } from 'node:util';
import type { FormSetting } from '#contract/forms/settings.ts';
import { surveyTypes, type SurveyType } from '#contract/ambulatory/shapes.ts';
import {
  mostPlanDays,
  lastPlanDay,
  planDaysDefault,
  type AmbuSettings,
  type PlannedSurvey,
  type SurveyPlan,
} from '#contract/ambulatory/surveys.ts';
import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import {
  builtInForm,
  knownForm,
  knownForms,
  setSurveyForms,
  storedSurveyDays,
  toKnownForm,
} from '#server/features/forms/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { northAmericanPhone } from '#server/kit/phone.ts';
import { ambuSettingsOf, isLimited, lockOffice } from '#server/office-row.ts';
import { wakeEpisodes } from './episode-sql.ts';
import { ambuSettingsRow, deletePlanRow, insertPlanRows, planRows, setAmbuSettings, setPlanRow } from './plan-sql.ts';

const [daySurvey, satisfaction] = surveyTypes;

/** One survey of the plan. The day of the satisfaction survey is the one after the last day survey's. */
export interface PlanEntry {
  id: string;
  type: SurveyType;
  day: number;
  formType: string;
  /** Only day surveys ask for a photo of the wound. */
  photo: boolean;
}

/** The office's plan in the order of its days. An office that has none yet gets one. */
export async function planOf(tx: Tx, scope: Pick<OfficeScope, 'officeId' | 'id'>): Promise<PlanEntry[]> {
  const rows = await planRows(tx, scope.officeId);
  if (rows.length > 0) return withDays(rows);
  await lockOffice(tx, scope.officeId);
  const made = await planRows(tx, scope.officeId);
  return made.length > 0 ? withDays(made) : firstPlan(tx, scope);
}

/** The plan that an office begins with: the days it had in its settings, else ours. */
async function firstPlan(tx: Tx, { officeId, id }: Pick<OfficeScope, 'officeId' | 'id'>): Promise<PlanEntry[]> {
  const stored = await storedSurveyDays(tx, officeId);
  const days = stored.length > 0 ? stored.slice(0, mostPlanDays) : planDaysDefault;
  const daySurveys = days.map((day) => ({ id: id(), type: daySurvey, day, formType: daySurvey, photo: false }));
  await insertPlanRows(tx, officeId, [
    ...daySurveys,
    { id: id(), type: satisfaction, day: null, formType: satisfaction, photo: false },
  ]);
  const plan = withDays(await planRows(tx, officeId));
  await writeSurveyForms(tx, officeId, plan);
  return plan;
}

function withDays(rows: Awaited<ReturnType<typeof planRows>>): PlanEntry[] {
  const last = Math.max(0, ...rows.map(({ day }) => day ?? 0));
  return rows.map((row) => ({ ...row, day: row.day ?? last + 1, photo: row.photo && row.type === daySurvey }));
}

/** The questionnaire of a survey: the chosen one, or the built-in one if the office may not use that any more. */
export async function questionnaireOf(
  tx: Tx,
  officeId: string,
  { type, formType }: Pick<PlanEntry, 'type' | 'formType'>,
) {
  const chosen = await knownForm(tx, officeId, formType);
  if (chosen && !(chosen.own && (await isLimited(tx, officeId)))) return toKnownForm(chosen);
  const builtIn = await builtInForm(tx, type);
  if (!builtIn) throw new Error(`the built-in form ${type} is missing`);
  return toKnownForm({ ...builtIn, own: false });
}

/** The settings' `forms[].day` follow from the plan. */
async function writeSurveyForms(tx: Tx, officeId: string, plan: readonly PlanEntry[]): Promise<void> {
  const surveys: FormSetting[] = [];
  for (const { type, day, formType } of plan) {
    const { name } = await questionnaireOf(tx, officeId, { type, formType });
    surveys.push({ enabled: true, type, day: type === satisfaction ? null : day, visibleName: name });
  }
  await setSurveyForms(tx, officeId, surveys);
}

export async function readSurveyPlan(ctx: OfficeCtx): Promise<SurveyPlan> {
  return ctx.transaction((tx) => shownPlan(tx, ctx));
}

async function shownPlan(tx: Tx, ctx: OfficeCtx): Promise<SurveyPlan> {
  const { officeId } = ctx;
  const plan = await planOf(tx, ctx);
  const surveys: PlannedSurvey[] = [];
  for (const entry of plan) {
    const { id: definitionId, formType, name: formName } = await questionnaireOf(tx, officeId, entry);
    surveys.push({ ...entry, formType, definitionId, formName, deletable: entry === lastDaySurvey(plan) });
  }
  return {
    surveys,
    settings: ambuSettingsOf(await ambuSettingsRow(tx, officeId)),
    questionnaires: (await knownForms(tx, officeId)).map(toKnownForm),
  };
}

const lastDaySurvey = (plan: readonly PlanEntry[]) => plan.findLast(({ type }) => type === daySurvey);

/** Adds a day survey after the last one. */
export async function addSurvey(
  ctx: OfficeCtx,
  {
    day,
    formType = daySurvey,
    photo = false,
  }: { day?: number | undefined; formType?: string | undefined; photo?: boolean | undefined },
): Promise<SurveyPlan> {
  return changePlan(ctx, async (tx, plan) => {
    const last = lastDaySurvey(plan)?.day ?? 0;
    const wanted = day ?? last + 1;
    if (wanted <= last || wanted > lastPlanDay) throw new Refusal('survey_day_taken');
    if (plan.length > mostPlanDays) throw new Refusal('too_many_surveys');
    await requireUsableForm(tx, ctx.officeId, formType);
    await insertPlanRows(tx, ctx.officeId, [{ id: ctx.id(), type: daySurvey, day: wanted, formType, photo }]);
  });
}

/** Chooses the questionnaire of a survey. */
export async function changeSurvey(
  ctx: OfficeCtx,
  id: string,
  { formType, photo }: { formType: string; photo: boolean },
): Promise<SurveyPlan> {
  return changePlan(ctx, async (tx, plan) => {
    if (!plan.some((entry) => entry.id === id)) throw new Refusal('survey_not_found');
    await requireUsableForm(tx, ctx.officeId, formType);
    await setPlanRow(tx, ctx.officeId, id, { formType, photo });
  });
}

/** Deletes a day's survey. Surveys that were sent already stay. */
export async function deleteSurvey(ctx: OfficeCtx, id?: string): Promise<SurveyPlan> {
  return changePlan(ctx, async (tx, plan) => {
    const last = lastDaySurvey(plan);
    if (!last || (id !== undefined && !plan.some((entry) => entry.id === id))) throw new Refusal('survey_not_found');
    if (id !== undefined && id !== last.id) throw new Refusal('survey_not_last', await shownPlan(tx, ctx));
    await deletePlanRow(tx, ctx.officeId, last.id);
  });
}

async function requireUsableForm(tx: Tx, officeId: string, formType: string): Promise<void> {
  const form = await knownForm(tx, officeId, formType);
  if (!form) throw new Refusal('form_not_found');
  if (form.own && (await isLimited(tx, officeId))) throw new Refusal('limited_questionnaires');
}

/** Changes the plan under the office's lock; the job looks at every episode again. */
async function changePlan(ctx: OfficeCtx, change: (tx: Tx, plan: PlanEntry[]) => Promise<void>): Promise<SurveyPlan> {
  return ctx.transaction(async (tx) => {
    await lockOffice(tx, ctx.officeId);
    await change(tx, await planOf(tx, ctx));
    await writeSurveyForms(tx, ctx.officeId, await planOf(tx, ctx));
    await announceChange(tx, ctx, 'surveys.plan');
    return shownPlan(tx, ctx);
  });
}

/** Changes the hour of the surveys and what raises a callback. */
export async function saveAmbuSettings(ctx: OfficeCtx, wanted: AmbuSettings): Promise<SurveyPlan> {
  const phone = wanted.phone === null ? null : northAmericanPhone(wanted.phone);
  if (wanted.phone !== null && phone === null) throw new Refusal('invalid_phone');
  return ctx.transaction(async (tx) => {
    await lockOffice(tx, ctx.officeId);
    const before = ambuSettingsOf(await ambuSettingsRow(tx, ctx.officeId));
    const settings = { ...wanted, phone, watchedWords: [...new Set(wanted.watchedWords)] };
    if (isDeepStrictEqual(before, settings)) return shownPlan(tx, ctx);
    await setAmbuSettings(tx, ctx.officeId, settings);
    await announceChange(tx, ctx, 'surveys.settings');
    return shownPlan(tx, ctx);
  });
}

async function announceChange(tx: Tx, ctx: OfficeCtx, changed: string): Promise<void> {
  await wakeEpisodes(tx, ctx.officeId, ctx.now());
  await writeAuditEntry(tx, ctx, { action: 'settings.change', subject: 'surveys', details: { changed } });
  for (const type of ['settings', 'ambu']) await sendHint(tx, { office: ctx.officeId, type });
}
