import type * as z from 'zod/mini';
import type { AuditEntry, listAudit as ListAudit } from '#contract/audit.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { instantOf } from '#server/kit/day.ts';
import { findEntries, lastChainLink, namesOfPeople, patientNamesBySubject, timeOfEntry } from './sql.ts';

type AuditQuery = z.output<NonNullable<typeof ListAudit.query>>;
type Page = z.output<typeof ListAudit.reply>;

const pageSize = 50;
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One page of the office's audit log, with current names. Reading it is audited too. */
export async function listAuditEntries(ctx: OfficeCtx, query: AuditQuery): Promise<Page> {
  const filter = {
    beforeId: query.before === undefined ? null : Number(query.before),
    action: query.action ?? null,
    visitId: query.visit ?? null,
    from: query.from === undefined ? null : instantOf(query.from, '00:00', ctx.timeZone),
    to: query.to === undefined ? null : instantOf(query.to, '24:00', ctx.timeZone),
  };
  return ctx.transaction(async (tx) => {
    const rows = await findEntries(tx, ctx.officeId, filter, pageSize + 1);
    const page = rows.slice(0, pageSize);
    const people = await namesOfPeople(tx, unique(page.map(({ actorId }) => actorId)));
    const subjects = unique(page.flatMap(subjectsOf)).filter((subject) => isUuid.test(subject));
    const patients = await patientNamesBySubject(tx, ctx.officeId, subjects);
    const end = await lastChainLink(tx, ctx.officeId);
    const sealedUntil = end && (await timeOfEntry(tx, ctx.officeId, end.entryId));
    await writeAuditEntry(tx, ctx, {
      action: 'audit.read',
      ...(query.visit !== undefined && { subject: query.visit }),
    });
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
      next: rows.length > pageSize ? String(page.at(-1)?.id) : null,
      sealedUntil: sealedUntil?.toISOString() ?? null,
    };
  });
}

/** The ids an entry is about: a visit or a form, and the visit in its details. */
function subjectsOf({ subject, details }: { subject: string | null; details: unknown }): string[] {
  const { visit } = (details ?? {}) as AuditEntry['details'];
  return [subject, visit].filter((id) => typeof id === 'string');
}

const unique = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))];
