import { createHash } from 'node:crypto';
import { covidScreening } from '#contract/forms/shapes.ts';
import { formsPageSize, labelledTypes, type FormItem, type ListedForm } from '#contract/forms/desk.ts';
import type { Language } from '#contract/shapes.ts';
import type { OfficeCtx } from '#server/context.ts';
import { findVisitId } from '#server/features/queue/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { dayOf, parseDay } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { versionedReply, type ConditionalRequest, type VersionedReply } from '#server/kit/http/versioned-reply.ts';
import { isOwnOfficeName } from '#server/own-office-name.ts';
import { namesByType } from './definition-sql.ts';
import {
  countByType,
  countFiledForms,
  filedForms,
  filedFormsOfPatient,
  findPatientId,
  newestVisitWithForms,
  pageOfFiledForms,
  pageOfMatches,
  pdfKeysBelow,
  toFormItem,
} from './list-sql.ts';
import { locales } from '#questionnaire/language/language.ts';
import { findVisit, membersOf, normalizeForSearch } from './sql.ts';

export interface FormsFilter {
  formType?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
  patientName?: string | undefined;
  visitId?: string | undefined;
  page?: string | undefined;
}

interface FormsPage {
  forms: ListedForm[];
  total: number;
  page: number;
  pageSize: number;
}

/**
 * One page of the forms list, newest first. A filter's matches are cached until something is filed on its days, so every page costs the
 * same.
 */
export async function listFormPaths(
  ctx: OfficeCtx,
  typedFilter: FormsFilter,
  conditional: ConditionalRequest,
): Promise<VersionedReply<FormsPage>> {
  if (typedFilter.visitId !== undefined)
    return listVisitForms(ctx, typedFilter.visitId, Number(typedFilter.page ?? 1), conditional);
  const { from, to, words } = daysAndName(ctx, typedFilter);
  const type = typedFilter.formType || null;
  const page = Number(typedFilter.page ?? 1);
  const filter = createHash('sha256')
    .update(JSON.stringify([type, from, to, words]))
    .digest('base64url');
  return ctx.transaction(async (tx) => {
    const [{ items, total }, names] = await Promise.all([
      pageOfMatches(tx, { officeId: ctx.officeId, filter, type, from, to, words, page, now: ctx.now() }),
      namesByType(tx, ctx.officeId),
    ]);
    const forms = items.map((row) => ({
      ...toFormItem(row, names.get(row.formType)?.[ctx.language]),
      birthDate: row.birthDate,
    }));
    const details = { page, search: words.length > 0 };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'forms.read', subject: type, details });
    return versionedReply({ forms, total, page, pageSize: formsPageSize }, conditional, { onSend });
  });
}

/** How many forms of each type the list has for these days and this name. */
export async function countForms(
  ctx: OfficeCtx,
  typedFilter: Omit<FormsFilter, 'formType' | 'visitId' | 'page'>,
  conditional: ConditionalRequest,
) {
  const { from, to, words } = daysAndName(ctx, typedFilter);
  return ctx.transaction(async (tx) => {
    const types = await countByType(tx, { officeId: ctx.officeId, from, to, words });
    const details = { counts: true, search: words.length > 0 };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'forms.read', details });
    return versionedReply({ total: types.reduce((sum, { count }) => sum + count, 0), types }, conditional, { onSend });
  });
}

/** The days and the words of the name to search for. */
export function daysAndName(
  ctx: OfficeCtx,
  { startDate, endDate, patientName }: Pick<FormsFilter, 'startDate' | 'endDate' | 'patientName'>,
) {
  const today = dayOf(ctx.now(), ctx.timeZone);
  const from = dayGiven(startDate, today);
  const to = dayGiven(endDate, today);
  if (from !== null && to !== null && from > to) throw new Refusal('invalid_input');
  const words = [...new Set(normalizeForSearch(patientName ?? '').split(' '))].filter((word) => word !== '').sort();
  return { from, to, words };
}

/** One page of the forms that a visit's family filed, newest first; empty for a visit of another office. */
async function listVisitForms(
  ctx: OfficeCtx,
  visitId: string,
  page: number,
  conditional: ConditionalRequest,
): Promise<VersionedReply<FormsPage>> {
  return ctx.transaction(async (tx) => {
    // An id that is not the office's does not get into its log.
    const about = (await findVisit(tx, ctx.officeId, visitId)) ? visitId : null;
    const [rows, total, names] = await Promise.all([
      pageOfFiledForms(tx, ctx.officeId, visitId, page),
      countFiledForms(tx, ctx.officeId, visitId),
      namesByType(tx, ctx.officeId),
    ]);
    const forms = rows.map((row) => ({
      ...toFormItem(row, names.get(row.formType)?.[ctx.language]),
      birthDate: row.birthDate,
    }));
    const details = { page, visit: about };
    const onSend = () => writeAuditEntry(tx, ctx, { action: 'forms.read', subject: about, details });
    return versionedReply({ forms, total, page, pageSize: formsPageSize }, conditional, { onSend });
  });
}

/** Parses a day from the filter; a later day counts as today. */
function dayGiven(text: string | undefined, today: string): string | null {
  if (!text) return null;
  const day = text.includes('-') ? parseDay(text.replaceAll('-', ''), 'YYYYMMDD') : parseDay(text, 'MMDDYYYY');
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
    const patientId = await findPatientId(tx, officeId, userCode);
    if (patientId === undefined) throw new Refusal('patient_not_found');
    const visitId =
      dateTime === undefined
        ? await newestVisitWithForms(tx, officeId, patientId, dayOf(ctx.now(), ctx.timeZone))
        : await findVisitId(tx, officeId, userCode, new Date(dateTime));
    if (dateTime !== undefined && visitId === undefined) throw new Refusal('patient_not_found');
    await writeAuditEntry(tx, ctx, { action: 'forms.read', subject: patientId, details: { visit: visitId ?? null } });
    if (visitId === undefined) return [];
    const [members, names] = await Promise.all([membersOf(tx, officeId, visitId), namesByType(tx, officeId)]);
    const forms = await filedForms(tx, officeId, visitId);
    return members.map(({ id, firstName, lastName }) => ({
      name: `${firstName} ${lastName}`,
      forms: forms
        .filter(({ memberId }) => memberId === id)
        .map((row) => {
          const item = toFormItem(row, names.get(row.formType)?.[ctx.language]);
          return { ...item, label: labelOf(item, ctx) };
        }),
    }));
  });
}

/** The newest forms of all of a patient's visits. */
export async function formsOfPatient(tx: Tx, ctx: OfficeCtx, patientId: string, limit: number): Promise<FormItem[]> {
  const [rows, names] = await Promise.all([
    filedFormsOfPatient(tx, ctx.officeId, patientId, limit),
    namesByType(tx, ctx.officeId),
  ]);
  return rows.map((row) => toFormItem(row, names.get(row.formType)?.[ctx.language]));
}

const typeLabels: Record<(typeof labelledTypes)[number], Record<Language, string>> = {
  'insurance-card': { en: 'Insurance Card', es: 'Tarjeta del seguro' },
  'photo-id': { en: 'Photo ID', es: 'Identificación con foto' },
  'health-history': { en: 'Health History', es: 'Historia clínica' },
};
const clear = { en: 'COVID Clear', es: 'COVID sin riesgo' };
const review = { en: 'COVID Review', es: 'COVID por revisar' };
const toReview = { en: 'Review', es: 'Por revisar' };
const anyForm = { en: 'Form', es: 'Formulario' };

/** A form's label: its date and its kind. */
function labelOf(form: FormItem, { language, timeZone }: OfficeCtx): string {
  const date = new Intl.DateTimeFormat(locales[language], { dateStyle: 'short', timeZone }).format(
    new Date(form.completedAt),
  );
  return `${date} ${kindOf(form, language)}`;
}

function kindOf({ formType, formName, outcome }: FormItem, language: Language): string {
  if (formType === covidScreening && outcome !== null) return (outcome === 'review' ? review : clear)[language];
  if (outcome === 'review') return `${toReview[language]}: ${formName}`;
  const labelled = labelledTypes.find((type) => type === formType);
  return (labelled ? typeLabels[labelled] : anyForm)[language];
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
    const rows = await pdfKeysBelow(tx, ctx.officeId, prefix.replace(/\/*$/, '/'), mostFiles);
    return rows.map(({ objectKey, completedAt }) => ({
      key: objectKey ?? '',
      date: (completedAt ?? ctx.now()).toISOString(),
    }));
  });
}
