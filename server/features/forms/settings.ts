import { sql } from 'kysely';
import { FormSetting, type KnownForm } from '#contract/forms-settings.ts';
import { check as checkQuestionnaire } from '#contract/forms/check.ts';
import type { Finding } from '#contract/forms/reading.ts';
import type { Questionnaire } from '#contract/forms/questionnaire.ts';
import * as z from 'zod/mini';
import type { OfficeCtx } from '#server/ctx.ts';
import { record } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db.ts';
import { tell } from '#server/kit/live.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { bumpQueue, todayOf } from '#server/features/queue/index.ts';
import { addOwnForm, definitionOf, readDefinition } from './definitions.ts';

interface FormSettings {
  known: KnownForm[];
  forms: FormSetting[];
}

/** Every form the office can use, and which of them it asks for. */
export async function readFormSettings(ctx: OfficeCtx): Promise<FormSettings> {
  return ctx.transaction((tx) => settingsOf(tx, ctx.officeId));
}

async function settingsOf(tx: Tx, officeId: string): Promise<FormSettings> {
  const office = await tx.selectFrom('office').select('settings').where('id', '=', officeId).executeTakeFirstOrThrow();
  const known = await tx
    .selectFrom('knownForm')
    .select(['id', 'type', 'version', 'name', 'own'])
    .where('officeId', '=', officeId)
    .orderBy('own')
    .orderBy('type')
    .execute();
  return { known: known.map((row) => shown(row)), forms: settingsIn(office.settings) };
}

const shown = (row: Record<'id' | 'type' | 'version' | 'name' | 'own', unknown>): KnownForm => ({
  id: row.id as string,
  formType: row.type as string,
  version: row.version as number,
  name: row.name as KnownForm['name'],
  own: row.own === true,
});

/** The settings as they stand, whatever else an operator wrote there left out. */
function settingsIn(settings: unknown): FormSetting[] {
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

/** Which forms the office asks for, in their order. Every open queue shows it at once. */
export async function saveFormSettings(ctx: OfficeCtx, forms: FormSetting[]): Promise<FormSettings> {
  return ctx.transaction(async (tx) => {
    const { known } = await settingsOf(tx, ctx.officeId);
    const names = forms.map(({ type, day }) => `${type} ${day ?? ''}`);
    if (new Set(names).size !== names.length) throw new Refusal('invalid_input');
    if (forms.some(({ type }) => !known.some(({ formType }) => formType === type))) throw new Refusal('form_not_found');
    await tx
      .updateTable('office')
      .set({
        settings: sql`jsonb_set(
          case when jsonb_typeof(settings -> 'features') = 'object' then settings else settings || '{"features": {}}' end,
          '{features,globalFormsEnabled}', ${JSON.stringify({ forms })}::jsonb)`,
      })
      .where('id', '=', ctx.officeId)
      .execute();
    await bumpQueue(tx, ctx.officeId, await todayOf(tx, ctx));
    await record(tx, ctx, {
      action: 'settings.change',
      subject: 'forms',
      details: { enabled: forms.filter(({ enabled }) => enabled).length },
    });
    for (const type of ['settings', 'checkin']) await tell(tx, { office: ctx.officeId, type });
    return settingsOf(tx, ctx.officeId);
  });
}

interface Loaded {
  form: KnownForm | null;
  findings: { code: string; severity: Finding['severity']; place: string; detail: string | null }[];
}

/** Loads a questionnaire for this office, or only says what is wrong with it. One with an error is not taken. */
export async function loadForm(
  ctx: OfficeCtx,
  { text, check = false }: { text: string; check?: boolean | undefined },
): Promise<Loaded> {
  const { questionnaire, findings, isUsable } = checkQuestionnaire(text);
  const told = findings
    .slice(0, 100)
    .map(({ code, severity, place, detail }) => ({ code, severity, place, detail: detail ?? null }));
  if (!questionnaire || check || !isUsable) return { form: null, findings: told };
  const definition = definitionOf(questionnaire);
  const form = await ctx.transaction(async (tx) => {
    const given = { officeId: ctx.officeId, id: ctx.id(), at: ctx.now(), by: ctx.caller.personId };
    const { id, version, isNew } = await addOwnForm(tx, given, definition);
    if (isNew) {
      await record(tx, ctx, { action: 'form.load', subject: id, details: { form: definition.type, version } });
      await tell(tx, { office: ctx.officeId, type: 'settings' });
    }
    return { id, formType: definition.type, version, name: definition.name, own: true };
  });
  return { form, findings: told };
}

/** One definition, to preview it as the patient sees it. */
export async function readForm(
  ctx: OfficeCtx,
  definitionId: string,
): Promise<KnownForm & { questionnaire: Questionnaire }> {
  return ctx.transaction(async (tx) => {
    const definition = await readDefinition(tx, ctx.officeId, definitionId);
    if (!definition) throw new Refusal('form_not_found');
    const { id, type, version, name, questionnaire } = definition;
    const own = await tx
      .selectFrom('formDefinition')
      .select('id')
      .where('officeId', '=', ctx.officeId)
      .where('id', '=', id)
      .executeTakeFirst();
    return { id, formType: type, version, name, own: own !== undefined, questionnaire };
  });
}
