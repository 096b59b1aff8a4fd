import * as z from 'zod/mini';
import { FormSetting, type FormSettings, type KnownForm } from '#contract/forms/settings.ts';
import type { Settings } from '#contract/flags.ts';
import { surveyTypes } from '#contract/ambulatory/shapes.ts';
import { isAmbulatory } from '#contract/panel-mode.ts';
import type { OfficeCtx } from '#server/context.ts';
import { todayOf } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { isLimited, lockOffice } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { bumpQueue } from '#server/queue-version.ts';
import { formsOutOfUse, knownForms, officeSettings, setFormSettings } from './definition-sql.ts';

/** Every form the office can use, and which of them it asks for. */
export async function readFormSettings(ctx: OfficeCtx): Promise<FormSettings> {
  return ctx.transaction((tx) => settingsOf(tx, ctx.officeId));
}

export async function settingsOf(tx: Tx, officeId: string): Promise<FormSettings> {
  const settings = await officeSettings(tx, officeId);
  const known = await knownForms(tx, officeId);
  const removed = await formsOutOfUse(tx, officeId);
  const isOffered = isOfferedBy(settings);
  const offered = known.map((row) => toKnownForm(row)).filter(({ formType, own }) => own || isOffered(formType));
  const isOwn = new Set(known.filter(({ own }) => own).map(({ type }) => type));
  return {
    known: offered,
    forms: readSettings(settings).filter(({ type }) => isOwn.has(type) || isOffered(type)),
    removed: removed.map((row) => toKnownForm({ ...row, own: true })),
  };
}

export const toKnownForm = (row: Record<'id' | 'type' | 'version' | 'name' | 'own', unknown>): KnownForm => ({
  id: row.id as string,
  formType: row.type as string,
  version: row.version as number,
  name: row.name as KnownForm['name'],
  own: row.own === true,
});

/** Surveys belong to the ambulatory mode: other offices neither see them nor switch them on. */
function isOfferedBy(settings: unknown): (formType: string) => boolean {
  const hasSurveys = isAmbulatory((settings ?? {}) as Settings);
  return (formType) => hasSurveys || !formType.startsWith('ambu-');
}

/** The stored settings, without anything else an operator wrote there. */
function readSettings(settings: unknown): FormSetting[] {
  const path = ['features', 'globalFormsEnabled', 'forms'];
  const found = path.reduce<unknown>(
    (inside, key) => (typeof inside === 'object' && inside !== null ? (inside as Record<string, unknown>)[key] : null),
    settings,
  );
  if (!Array.isArray(found)) return [];
  return found.flatMap((one) => {
    const read = z.safeParse(FormSetting, { day: null, ...(one as object) });
    return read.success ? [read.data] : [];
  });
}

const isSurvey = ({ type }: Pick<FormSetting, 'type'>) => (surveyTypes as readonly string[]).includes(type);

/** The days of the surveys in the office's settings, from before it had a survey plan. */
export async function storedSurveyDays(tx: Tx, officeId: string): Promise<number[]> {
  const stored = readSettings(await officeSettings(tx, officeId));
  const days = stored.flatMap(({ type, enabled, day }) =>
    type === 'ambu-survey-day' && enabled && day !== null && day >= 1 ? [day] : [],
  );
  return [...new Set(days)].sort((a, b) => a - b);
}

/** Writes the surveys of the plan into the settings, for programs that read `globalFormsEnabled`. The plan alone decides what is asked. */
export async function setSurveyForms(tx: Tx, officeId: string, surveys: readonly FormSetting[]): Promise<void> {
  const others = readSettings(await officeSettings(tx, officeId)).filter((form) => !isSurvey(form));
  await setFormSettings(tx, officeId, [...others, ...surveys]);
}

/** Saves which forms the office asks for, in their order. Every open queue shows it at once. Surveys are left to the survey plan. */
export async function saveFormSettings(ctx: OfficeCtx, wanted: FormSetting[]): Promise<FormSettings> {
  return ctx.transaction(async (tx) => {
    await lockOffice(tx, ctx.officeId);
    const { known, forms: shownBefore } = await settingsOf(tx, ctx.officeId);
    if (wanted.some(({ type }) => !known.some(({ formType }) => formType === type)))
      throw new Refusal('form_not_found');
    const forms = wanted.filter((form) => !isSurvey(form));
    const names = forms.map(nameOfSetting);
    if (new Set(names).size !== names.length) throw new Refusal('invalid_input');
    const nameOf = new Map(known.map(({ formType, name }) => [formType, name]));
    const ownTypes = new Set(known.filter(({ own }) => own).map(({ formType }) => formType));
    // Forms requested before the practice was limited may stay requested: no patient is asked for them meanwhile.
    const wereOn = new Set(shownBefore.filter(({ enabled }) => enabled).map(({ type }) => type));
    const isSwitchedOn = ({ type, enabled }: FormSetting) => enabled && ownTypes.has(type) && !wereOn.has(type);
    if (forms.some(isSwitchedOn) && (await isLimited(tx, ctx.officeId))) throw new Refusal('limited_questionnaires');
    const named = forms.map((form) => ({
      ...form,
      visibleName: visibleNames(form.visibleName, nameOf.get(form.type)),
    }));
    const isShown = new Set(shownBefore.filter((form) => !isSurvey(form)).map(nameOfSetting));
    const stored = readSettings(await officeSettings(tx, ctx.officeId));
    await setFormSettings(tx, ctx.officeId, [...named, ...stored.filter((form) => !isShown.has(nameOfSetting(form)))]);
    await bumpQueue(tx, ctx.officeId, await todayOf(tx, ctx), 'all');
    await writeAuditEntry(tx, ctx, {
      action: 'settings.change',
      subject: 'forms',
      details: { changed: 'forms', enabled: forms.filter(({ enabled }) => enabled).length },
    });
    for (const type of ['settings', 'checkin']) await sendHint(tx, { office: ctx.officeId, type });
    return settingsOf(tx, ctx.officeId);
  });
}

const nameOfSetting = ({ type, day }: FormSetting) => `${type} ${day ?? ''}`;

/** The name patients and the desk see: the office's own, else the form's. */
function visibleNames(visible: KnownForm['name'], own: KnownForm['name'] = visible): KnownForm['name'] {
  return { en: visible.en.trim() || own.en, es: visible.es.trim() || own.es };
}
