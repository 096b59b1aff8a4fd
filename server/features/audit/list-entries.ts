import type * as z from 'zod/mini';
import type { AuditEntry, listAudit as ListAudit } from '#contract/audit.ts';
import type { OfficeCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { instantOf } from '#server/kit/day.ts';
import { entriesBy, lastSeal, namesOfPeople, patientsBehind, timeOfEntry } from './sql.ts';

type Asked = z.output<NonNullable<typeof ListAudit.query>>;
type Page = z.output<typeof ListAudit.reply>;

const pageSize = 50;
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One page of the office's record. Names are those of today; looking is recorded too. */
export async function readRecord(ctx: OfficeCtx, asked: Asked): Promise<Page> {
  const filter = {
    beforeId: asked.before === undefined ? null : Number(asked.before),
    action: asked.action ?? null,
    visitId: asked.visit ?? null,
    from: asked.from === undefined ? null : instantOf(asked.from, '00:00', ctx.timeZone),
    to: asked.to === undefined ? null : instantOf(asked.to, '24:00', ctx.timeZone),
  };
  return ctx.transaction(async (tx) => {
    const found = await entriesBy(tx, ctx.officeId, filter, pageSize + 1);
    const shown = found.slice(0, pageSize);
    const people = await namesOfPeople(tx, unique(shown.map(({ actorId }) => actorId)));
    const subjects = unique(shown.flatMap(subjectsOf)).filter((subject) => isUuid.test(subject));
    const patients = await patientsBehind(tx, ctx.officeId, subjects);
    const end = await lastSeal(tx, ctx.officeId);
    const sealedUntil = end && (await timeOfEntry(tx, ctx.officeId, end.entryId));
    await writeAuditEntry(tx, ctx, {
      action: 'audit.read',
      ...(asked.visit !== undefined && { subject: asked.visit }),
    });
    return {
      entries: shown.map((e) => ({
        id: String(e.id),
        at: e.at.toISOString(),
        actor: e.actor as AuditEntry['actor'],
        actorName: (e.actorId && people.get(e.actorId)) ?? null,
        action: e.action,
        subject: e.subject,
        patientName: subjectsOf(e).flatMap((id) => patients.get(id) ?? [])[0] ?? null,
        details: (e.details ?? {}) as AuditEntry['details'],
        outcome: e.outcome,
        sealed: Boolean(e.sealed),
      })),
      next: found.length > pageSize ? String(shown.at(-1)?.id) : null,
      sealedUntil: sealedUntil?.toISOString() ?? null,
    };
  });
}

/** What an entry is about: a visit or a form, and the visit that stands in its details. */
function subjectsOf({ subject, details }: { subject: string | null; details: unknown }): string[] {
  const { visit } = (details ?? {}) as AuditEntry['details'];
  return [subject, visit].filter((id) => typeof id === 'string');
}

const unique = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))];
