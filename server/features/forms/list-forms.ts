import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { formsPageSize, labelledTypes, type FormItem } from '#contract/forms/desk.ts';
import type { Language } from '#contract/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import { findVisitId } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf, parseDay } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { isOwnOfficeName } from './own-keys.ts';
import { toFormItem, membersOf, namesByType, normalizeForSearch, submissionColumns } from './sql.ts';

export interface FormsFilter {
  formType?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
  patientName?: string | undefined;
  visitId?: string | undefined;
  page?: string | undefined;
}

/**
 * One page of the forms list, newest first. A filter's matches are cached until something is filed on its days, so every page costs the
 * same.
 */
export async function listFormPaths(
  ctx: OfficeCtx,
  asked: FormsFilter,
): Promise<{ forms: FormItem[]; total: number; page: number; pageSize: number }> {
  if (asked.visitId !== undefined) return listVisitForms(ctx, asked.visitId, Number(asked.page ?? 1));
  const today = dayOf(ctx.now(), ctx.timeZone);
  const from = dayGiven(asked.startDate, today);
  const to = dayGiven(asked.endDate, today);
  if (from !== null && to !== null && from > to) throw new Refusal('invalid_input');
  const words = [...new Set(normalizeForSearch(asked.patientName ?? '').split(' '))]
    .filter((word) => word !== '')
    .sort();
  const type = asked.formType || null;
  const page = Number(asked.page ?? 1);
  const filter = createHash('sha256')
    .update(JSON.stringify([type, from, to, words]))
    .digest('base64url');
  return ctx.transaction(async (tx) => {
    const [{ rows }, names] = await Promise.all([
      sql<{ total: number; items: Parameters<typeof toFormItem>[0][] }>`
        select * from form_page(${ctx.officeId}, ${filter}, ${type}, ${from}::date, ${to}::date, ${words}::text[], ${page}::int,
          ${formsPageSize}::int, ${ctx.now()}::timestamptz)`.execute(tx),
      namesByType(tx, ctx.officeId),
      writeAuditEntry(tx, ctx, { action: 'forms.read', subject: type, details: { page, search: words.length > 0 } }),
    ]);
    const found = rows[0];
    const forms = (found?.items ?? []).map((row) => toFormItem(row, names.get(row.formType)?.[ctx.language]));
    return { forms, total: found?.total ?? 0, page, pageSize: formsPageSize };
  });
}

/** One page of the forms that a visit's family filed, newest first; empty for a visit of another office. */
async function listVisitForms(ctx: OfficeCtx, visitId: string, page: number) {
  return ctx.transaction(async (tx) => {
    const filed = tx
      .selectFrom('formSubmission')
      .where('officeId', '=', ctx.officeId)
      .where('visitId', '=', visitId)
      .where('state', '<>', 'draft')
      .where('supersededAt', 'is', null);
    const [rows, { total }, names] = await Promise.all([
      filed
        .select(submissionColumns)
        .orderBy('completedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(formsPageSize)
        .offset((page - 1) * formsPageSize)
        .execute(),
      filed.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      namesByType(tx, ctx.officeId),
      writeAuditEntry(tx, ctx, { action: 'forms.read', subject: visitId, details: { page, visit: visitId } }),
    ]);
    const forms = rows.map((row) => toFormItem(row, names.get(row.formType)?.[ctx.language]));
    return { forms, total: Number(total), page, pageSize: formsPageSize };
  });
}

/** Parses a day from the filter; a later day counts as today. */
function dayGiven(given: string | undefined, today: string): string | null {
  if (!given) return null;
  const day = given.includes('-') ? parseDay(given.replaceAll('-', ''), 'YYYYMMDD') : parseDay(given, 'MMDDYYYY');
  if (day === null) throw new Refusal('invalid_input');
  return day > today ? today : day;
}

interface OfPatient {
  userCode: string;
  npi?: string | undefined;
  dateTime?: string | undefined;
}

/** A patient's forms by family member: of the requested visit, else of today's newest, else of the last one with forms. */
export async function listUserForms(ctx: OfficeCtx, { userCode, npi, dateTime }: OfPatient) {
  return ctx.transaction(async (tx) => {
    if (npi !== undefined && !(await isOwnOfficeName(tx, ctx, npi))) throw new Refusal('office_not_found');
    const { officeId } = ctx;
    const patient = await tx
      .selectFrom('patient')
      .select('id')
      .where('officeId', '=', officeId)
      .where('userCode', '=', userCode)
      .executeTakeFirst();
    if (!patient) throw new Refusal('patient_not_found');
    const visitId =
      dateTime === undefined
        ? (await newestWithForms(tx, ctx, patient.id))?.id
        : await findVisitId(tx, officeId, userCode, new Date(dateTime));
    if (dateTime !== undefined && visitId === undefined) throw new Refusal('patient_not_found');
    await writeAuditEntry(tx, ctx, { action: 'forms.read', subject: patient.id, details: { visit: visitId ?? null } });
    if (visitId === undefined) return [];
    const [members, names] = await Promise.all([membersOf(tx, officeId, visitId), namesByType(tx, officeId)]);
    const forms = await tx
      .selectFrom('formSubmission')
      .select(submissionColumns)
      .where('officeId', '=', officeId)
      .where('visitId', '=', visitId)
      .where('state', '<>', 'draft')
      .where('supersededAt', 'is', null)
      .orderBy('completedAt')
      .orderBy('id')
      .execute();
    return members.map(({ id, firstName, lastName }) => ({
      name: `${firstName} ${lastName}`,
      forms: forms
        .filter(({ memberId }) => memberId === id)
        .map((row) => ({ ...toFormItem(row, names.get(row.formType)?.[ctx.language]), label: labelOf(row, ctx) })),
    }));
  });
}

async function newestWithForms(tx: Tx, { officeId, now, timeZone }: OfficeCtx, patientId: string) {
  const today = dayOf(now(), timeZone);
  return tx
    .selectFrom('visit as v')
    .select('v.id')
    .where('v.officeId', '=', officeId)
    .where('v.patientId', '=', patientId)
    .where((q) =>
      q.or([
        q('v.day', '=', today),
        q.exists(
          q
            .selectFrom('formSubmission as s')
            .select('s.id')
            .whereRef('s.officeId', '=', 'v.officeId')
            .whereRef('s.visitId', '=', 'v.id')
            .where('s.state', '<>', 'draft'),
        ),
      ]),
    )
    .orderBy('v.day', 'desc')
    .orderBy('v.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

const typeLabels: Record<(typeof labelledTypes)[number], Record<Language, string>> = {
  'insurance-card': { en: 'Insurance Card', es: 'Tarjeta del seguro' },
  'photo-id': { en: 'Photo ID', es: 'Identificación con foto' },
  'health-history': { en: 'Health History', es: 'Historia clínica' },
};
const clear = { en: 'COVID Clear', es: 'COVID sin riesgo' };
const review = { en: 'COVID Review', es: 'COVID por revisar' };
const anyForm = { en: 'Form', es: 'Formulario' };

/** A form's label: its date and its kind. */
function labelOf(row: { completedAt: Date | null; formType: string; outcome: string | null }, ctx: OfficeCtx): string {
  const { language, timeZone } = ctx;
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeZone }).format(row.completedAt ?? ctx.now());
  const labelled = labelledTypes.find((type) => type === row.formType);
  const ofType = labelled ? typeLabels[labelled] : anyForm;
  const kind = row.outcome === 'review' ? review : row.outcome === 'clear' ? clear : ofType;
  return `${date} ${kind[language]}`;
}

const mostFiles = 1_000;

/** The files below one of the office's own prefixes. */
export async function listFormFiles(
  ctx: OfficeCtx,
  { prefix, bucket }: { prefix: string; bucket?: string | undefined },
): Promise<{ key: string; date: string }[]> {
  return ctx.transaction(async (tx) => {
    const [npi = ''] = prefix.split('/');
    const isOurs =
      (await isOwnOfficeName(tx, ctx, npi)) && (bucket === undefined || (await isOwnOfficeName(tx, ctx, bucket)));
    if (!isOurs) throw new Refusal('form_not_found');
    await writeAuditEntry(tx, ctx, { action: 'forms.read', subject: 'files' });
    const rows = await tx
      .selectFrom('formSubmission')
      .select(['objectKey', 'completedAt'])
      .where('officeId', '=', ctx.officeId)
      .where('state', '<>', 'draft')
      .where('supersededAt', 'is', null)
      .where(sql<boolean>`starts_with(object_key, ${prefix.replace(/\/*$/, '/')})`)
      .orderBy('completedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(mostFiles)
      .execute();
    return rows.map(({ objectKey, completedAt }) => ({
      key: objectKey ?? '',
      date: (completedAt ?? ctx.now()).toISOString(),
    }));
  });
}
