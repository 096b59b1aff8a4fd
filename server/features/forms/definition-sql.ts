import { sql, type Insertable } from 'kysely';
import type { FormSetting, KnownForm } from '#contract/forms/settings.ts';
import type { DB } from '#db/tables.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';

export interface Definition {
  id: string;
  type: string;
  version: number;
  name: { en: string; es: string };
  questionnaire: Questionnaire;
  /** The office's own, not built in. */
  own: boolean;
}

/** The newest version of each built-in form. */
export function builtInForms(db: Db) {
  return db
    .selectFrom('builtInForm')
    .distinctOn('type')
    .select(['type', 'version', 'name', 'createdAt'])
    .orderBy('type')
    .orderBy('version', 'desc')
    .execute();
}

export function newestBuiltInForm(db: Db, type: string) {
  return db
    .selectFrom('builtInForm')
    .select(['version', 'sha256'])
    .where('type', '=', type)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The newest version of a built-in form, also if the office has a form of its own of that type. */
export function builtInForm(tx: Tx, type: string) {
  return tx
    .selectFrom('builtInForm')
    .select(['id', 'type', 'version', 'name'])
    .where('type', '=', type)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns false if another process has stored that version already. */
export async function insertBuiltInForm(db: Db, form: Insertable<DB['builtInForm']>): Promise<boolean> {
  const added = await db
    .insertInto('builtInForm')
    .values(form)
    .onConflict((conflict) => conflict.columns(['type', 'version']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** Locks one of the office's own forms until the transaction ends: two loads of it get two versions. */
export async function lockOwnForm(tx: Tx, officeId: string, type: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${officeId} ${type}`}, 7306096))`.execute(tx);
}

/** The newest version of an own form, even if it is not in use. */
export function newestOwnForm(tx: Tx, officeId: string, type: string) {
  return tx
    .selectFrom('formDefinition')
    .select(['id', 'version', 'sha256'])
    .where('officeId', '=', officeId)
    .where('type', '=', type)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function insertOwnForm(tx: Tx, form: Insertable<DB['formDefinition']>): Promise<void> {
  await tx.insertInto('formDefinition').values(form).execute();
}

/** Puts an own form back in use; returns false if it was in use. */
export async function putBackInUse(tx: Tx, officeId: string, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('formDefinition')
    .set({ removedAt: null })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .where('removedAt', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Puts the versions of an own form up to `version` in use, and the later ones out of use; returns false if there is no such form. */
export async function useVersionsUpTo(
  tx: Tx,
  { officeId, type, version, at }: { officeId: string; type: string; version: number; at: Date },
): Promise<boolean> {
  const versions = await tx
    .updateTable('formDefinition')
    .set(({ case: when, eb }) => ({
      removedAt: when()
        .when('version', '>', version)
        .then(eb.fn.coalesce('removedAt', eb.val(at)))
        .else(null)
        .end(),
    }))
    .where('officeId', '=', officeId)
    .where('type', '=', type)
    .returning('version')
    .execute();
  return versions.length > 0;
}

/** One definition, built in or the office's own. */
export async function findDefinition(tx: Tx, officeId: string, id: string): Promise<Definition | undefined> {
  const columns = ['id', 'type', 'version', 'name', 'questionnaire'] as const;
  const own = await tx
    .selectFrom('formDefinition')
    .select(columns)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
  const found = own ?? (await tx.selectFrom('builtInForm').select(columns).where('id', '=', id).executeTakeFirst());
  return found && { ...found, own: own !== undefined };
}

const selectKnownForms = (tx: Tx, officeId: string) =>
  tx.selectFrom('knownForm').select(['id', 'type', 'version', 'name', 'own']).where('officeId', '=', officeId);

/** Every form the office can use in its newest version in use: the built-in ones, then its own. */
export function knownForms(tx: Tx, officeId: string) {
  return selectKnownForms(tx, officeId).orderBy('own').orderBy('type').execute();
}

/** The form of that type in use, built in or the office's own. */
export function knownForm(tx: Tx, officeId: string, type: string) {
  return selectKnownForms(tx, officeId).where('type', '=', type).executeTakeFirst();
}

/** The office's own forms without a version in use, each in its newest version. */
export function formsOutOfUse(tx: Tx, officeId: string) {
  return tx
    .selectFrom('formDefinition as f')
    .distinctOn('f.type')
    .select(['f.id', 'f.type', 'f.version', 'f.name'])
    .where('f.officeId', '=', officeId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('formDefinition as used')
            .select('used.id')
            .where('used.officeId', '=', officeId)
            .whereRef('used.type', '=', 'f.type')
            .where('used.removedAt', 'is', null),
        ),
      ),
    )
    .orderBy('f.type')
    .orderBy('f.version', 'desc')
    .execute();
}

/** The office's settings as they are now; the same transaction may have changed them. */
export async function officeSettings(tx: Tx, officeId: string) {
  const row = await tx.selectFrom('office').select('settings').where('id', '=', officeId).executeTakeFirstOrThrow();
  return row.settings;
}

export async function privacyNoticeOf(tx: Tx, officeId: string): Promise<string | null> {
  const query = tx.selectFrom('office').select('privacyNoticeUrl').where('id', '=', officeId);
  return (await query.executeTakeFirstOrThrow()).privacyNoticeUrl;
}

export async function setPrivacyNotice(tx: Tx, officeId: string, url: string | null): Promise<void> {
  await tx.updateTable('office').set({ privacyNoticeUrl: url }).where('id', '=', officeId).execute();
}

export async function setFormSettings(tx: Tx, officeId: string, forms: readonly FormSetting[]): Promise<void> {
  await tx
    .updateTable('office')
    .set({
      settings: sql`jsonb_set(
        case when jsonb_typeof(settings -> 'features') = 'object' then settings else settings || '{"features": {}}' end,
        '{features,globalFormsEnabled}', ${JSON.stringify({ forms })}::jsonb)`,
    })
    .where('id', '=', officeId)
    .execute();
}

export interface RequestedForm {
  type: string;
  definitionId: string;
  version: number;
  name: KnownForm['name'];
}

/** The forms the office requests at check-in, in its order. A limited practice requests built-in forms only. */
export async function requestedForms(tx: Tx, officeId: string): Promise<RequestedForm[]> {
  const { rows } = await sql<{
    type: string;
    definitionId: string;
    version: number;
    name: RequestedForm['name'];
    visibleName: unknown;
  }>`
    select k.type, k.id as definition_id, k.version, k.name, w.visible_name
    from office o
    cross join lateral forms_wanted(o.settings) w
    join known_form k on k.office_id = o.id and k.type = w.type
    where o.id = ${officeId} and (o.confirmed_at is not null or not k.own)
    order by w.place`.execute(tx);
  return rows.map(({ visibleName, name, ...form }) => ({ ...form, name: withVisibleNames(visibleName, name) }));
}

/**
 * About how many pages of the phone each questionnaire has, with its review: a group is one page, and so are three questions outside of
 * groups.
 */
export async function formLengths(tx: Tx, officeId: string, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; pages: number }>`
    select d.id, (
      select 1 + count(*) filter (where i ->> 'type' = 'group')
        + ceil(count(*) filter (where i ->> 'type' not in ('group', 'display')) / 3.0)
      from jsonb_array_elements(d.questionnaire -> 'item') i
    )::int as pages
    from (
      select id, questionnaire from form_definition where office_id = ${officeId} and id = any(${ids}::uuid[])
      union all
      select id, questionnaire from built_in_form where id = any(${ids}::uuid[])
    ) d`.execute(tx);
  return new Map(rows.map(({ id, pages }) => [id, pages]));
}

/** The office's names for its forms, by type: its own name for a form, else the name in the newest version. */
export async function namesByType(tx: Tx, officeId: string): Promise<Map<string, RequestedForm['name']>> {
  const { rows } = await sql<{ type: string; name: RequestedForm['name']; visibleName: unknown }>`
    select k.type, k.name, w.visible_name
    from known_form k
    join office o on o.id = k.office_id
    left join lateral forms_wanted(o.settings) w on w.type = k.type
    where k.office_id = ${officeId}`.execute(tx);
  return new Map(rows.map(({ type, name, visibleName }) => [type, withVisibleNames(visibleName, name)]));
}

function withVisibleNames(visible: unknown, name: RequestedForm['name']): RequestedForm['name'] {
  const names = (typeof visible === 'object' && visible !== null ? visible : {}) as Record<string, unknown>;
  const word = (language: 'en' | 'es') =>
    typeof names[language] === 'string' && names[language] !== '' ? names[language] : name[language];
  return { en: word('en'), es: word('es') };
}
