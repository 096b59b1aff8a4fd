/**
 * The audit log: every disclosure and change of patient data, written in the same transaction.
 *
 * entry: who did what to whom, and when; ids only. chain: each entry's HMAC covers the entry before it.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant } from './shapes.ts';

export const AuditActor = z.enum(['staff', 'patient', 'timer', 'operator', 'house']);
export type AuditActor = z.output<typeof AuditActor>;

export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  actor: AuditActor,
  actorName: z.nullable(z.string()),
  action: z.string(),
  /** The id or name of what it was about: a visit, a form, a setting. */
  subject: z.nullable(z.string()),
  /** The current name on that visit; null if it was not about a visit. */
  patientName: z.nullable(z.string()),
  /** Details of the action: `{move, from, to}` of a visit, `{changed}` of settings. */
  details: z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()]))),
  /** `done`, or the refusal code. */
  outcome: z.string(),
  sealed: z.boolean(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

/** Entries of one page of an export; an export has at most `longestExport`. */
export const exportPageSize = 2_000;
export const longestExport = 20_000;

const Cursor = z.string().check(z.regex(/^\d{1,18}$/));

export const AuditFilter = z.object({
  /** An action, or its first word for a whole group: `visit` finds `visit.read` and `visit.move`. */
  action: z.optional(z.string().check(z.regex(/^[a-z-]+(\.[a-z-]+)*$/), z.maxLength(60))),
  visit: z.optional(z.uuid()),
  /** Entries about this patient: the visits, forms, messages, payments and surveys. */
  patient: z.optional(z.uuid()),
  /** What this member of the staff did. */
  person: z.optional(z.uuid()),
  /** First and last day, in the office's time zone. */
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
});
export type AuditFilter = z.output<typeof AuditFilter>;

export const listAudit = endpoint({
  method: 'GET',
  path: '/audit',
  summary: "The office's audit log, newest first",
  access: 'office',
  audit: 'audit.read',
  query: z.extend(AuditFilter, { before: z.optional(Cursor) }),
  reply: z.object({
    entries: z.array(AuditEntry),
    /** Pass as `before` for the next page; null at the end. */
    next: z.nullable(z.string()),
    /** The time of the newest chained entry; later ones are not chained yet. */
    sealedUntil: z.nullable(Instant),
    /** The name of the patient in the filter; empty for a number without a name, null without such a patient. */
    filteredPatient: z.nullable(z.string()),
  }),
});

export const exportAudit = endpoint({
  method: 'POST',
  path: '/audit/export',
  summary: `The entries that match the filter, ${exportPageSize.toLocaleString('en-US')} at a time, for a file. Each page is audited`,
  access: 'office',
  audit: 'audit.download',
  body: z.extend(AuditFilter, { before: z.optional(Cursor) }),
  reply: z.object({ entries: z.array(AuditEntry), next: z.nullable(z.string()) }),
  refusals: ['too_many_tries'],
});

export const AuditPerson = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Still works in the office. */
  isColleague: z.boolean(),
});
export type AuditPerson = z.output<typeof AuditPerson>;

export const listAuditPeople = endpoint({
  method: 'GET',
  path: '/audit/people',
  summary: "Whose actions the office's audit log can be filtered by: colleagues, and former ones with entries",
  access: 'office',
  reply: z.object({ people: z.array(AuditPerson) }),
});
