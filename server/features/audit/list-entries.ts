import type * as z from 'zod/mini';
import {
  exportPageSize,
  type AuditEntry,
  type AuditFilter,
  type AuditPerson,
  type exportAudit as ExportAudit,
  type listAudit as ListAudit,
} from '#contract/audit.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry, type NewAuditEntry } from '#server/kit/audit.ts';
import { instantOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { hasVisit, nameOfPatient, subjectsOfPatient } from './patient-sql.ts';
import { peopleOfLog } from './people-sql.ts';
import { findEntries, lastChainLink, namesOfPeople, patientNamesBySubject, timeOfEntry } from './sql.ts';

type Request = AuditFilter & { before?: string | undefined };
type Page = z.output<typeof ListAudit.reply>;
type ExportPage = z.output<typeof ExportAudit.reply>;

const pageSize = 50;
/** Four whole exports an hour. */
const exportPages = { name: 'audit-export-pages', points: 40, seconds: 3600 };
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One page of the office's audit log, with current names. Reading it is audited too. */
export async function listAuditEntries(ctx: OfficeCtx, request: Request): Promise<Page> {
  return ctx.transaction(async (tx) => {
    const page = await readPage(tx, ctx, request, pageSize);
    const end = await lastChainLink(tx, ctx.officeId);
    const sealedUntil = end && (await timeOfEntry(tx, ctx.officeId, end.entryId));
    const filteredPatient = await patientOfFilter(tx, ctx, request);
    const subject = await subjectOf(tx, ctx, request, filteredPatient);
    await writeAuditEntry(tx, ctx, { action: 'audit.read', ...subject });
    return {
      ...page,
      sealedUntil: sealedUntil?.toISOString() ?? null,
      filteredPatient,
    };
  });
}

/** One page of an export. Each page is audited. */
export async function exportAuditEntries(ctx: OfficeCtx, request: Request): Promise<ExportPage> {
  await ctx.limits.take(exportPages, ctx.officeId);
  return ctx.transaction(async (tx) => {
    const page = await readPage(tx, ctx, request, exportPageSize);
    const subject = await subjectOf(tx, ctx, request, await patientOfFilter(tx, ctx, request));
    const details = { entries: page.entries.length };
    await writeAuditEntry(tx, ctx, { action: 'audit.download', ...subject, details });
    return page;
  });
}

/** Whose actions the log can be filtered by: colleagues first, each group by name. */
export async function listAuditPeople(ctx: OfficeCtx): Promise<{ people: AuditPerson[] }> {
  return ctx.transaction(async (tx) => {
    const rows = await peopleOfLog(tx, ctx.officeId);
    const names = await namesOfPeople(
      tx,
      rows.map(({ id }) => id),
    );
    const people = rows.flatMap(({ id, isColleague }) => {
      const name = names.get(id);
      return name === undefined ? [] : [{ id, name, isColleague }];
    });
    const order = (a: AuditPerson, b: AuditPerson) =>
      Number(b.isColleague) - Number(a.isColleague) || a.name.localeCompare(b.name, ctx.language);
    return { people: people.sort(order) };
  });
}

/** The name of the patient in the filter; null without one, and for another office's. */
async function patientOfFilter(tx: Tx, ctx: OfficeCtx, { patient }: Request): Promise<string | null> {
  return patient === undefined ? null : ((await nameOfPatient(tx, ctx.officeId, patient)) ?? null);
}

/** What a reading of the log was about. An id that is not the office's does not get into its log. */
async function subjectOf(
  tx: Tx,
  ctx: OfficeCtx,
  { visit, patient }: Request,
  filteredPatient: string | null,
): Promise<Pick<NewAuditEntry, 'subject'>> {
  if (visit !== undefined) return (await hasVisit(tx, ctx.officeId, visit)) ? { subject: visit } : {};
  return patient !== undefined && filteredPatient !== null ? { subject: patient } : {};
}

async function readPage(tx: Tx, ctx: OfficeCtx, request: Request, size: number): Promise<ExportPage> {
  const { before, action, visit, patient, person, from, to } = request;
  const filter = {
    beforeId: before === undefined ? null : Number(before),
    action: action ?? null,
    visitId: visit ?? null,
    subjects: patient === undefined ? null : await subjectsOfPatient(tx, ctx.officeId, patient),
    personId: person ?? null,
    from: from === undefined ? null : instantOf(from, '00:00', ctx.timeZone),
    to: to === undefined ? null : instantOf(to, '24:00', ctx.timeZone),
  };
  const rows = await findEntries(tx, ctx.officeId, filter, size + 1);
  const page = rows.slice(0, size);
  const people = await namesOfPeople(tx, unique(page.map(({ actorId }) => actorId)));
  const subjects = unique(page.flatMap(subjectsOf)).filter((subject) => isUuid.test(subject));
  const patients = await patientNamesBySubject(tx, ctx.officeId, subjects);
  return {
    entries: page.map((e) => ({
      id: String(e.id),
      at: e.at.toISOString(),
      actor: e.actor,
      actorName: (e.actorId && people.get(e.actorId)) ?? null,
      action: e.action,
      subject: e.subject,
      patientName: subjectsOf(e).flatMap((id) => patients.get(id) ?? [])[0] ?? null,
      details: (e.details ?? {}) as AuditEntry['details'],
      outcome: e.outcome,
      sealed: Boolean(e.sealed),
    })),
    next: rows.length > size ? String(page.at(-1)?.id) : null,
  };
}

/** The ids an entry is about: a visit or a form, and the visit in its details. */
function subjectsOf({ subject, details }: { subject: string | null; details: unknown }): string[] {
  const { visit } = (details ?? {}) as AuditEntry['details'];
  return [subject, visit].filter((id) => typeof id === 'string');
}

const unique = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))];
