/**
 * The record: every disclosure and change of patient data, written in the same transaction.
 *
 * entry: who did what to whom, when; ids only. seal: the entry's place in the office's chain (HMAC).
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant } from './shapes.ts';

export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  actor: z.enum(['staff', 'patient', 'timer', 'operator', 'house']),
  actorName: z.nullable(z.string()),
  action: z.string(),
  /** Whose visit or which thing it was about, by id or name of ours. */
  subject: z.nullable(z.string()),
  /** The name on that visit as it is now; null when it was about no visit. */
  patientName: z.nullable(z.string()),
  /** What the action adds, in words of ours: `{move, from, to}` of a visit, `{changed}` of settings. */
  details: z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()]))),
  /** `done`, or the code of the refusal. */
  outcome: z.string(),
  sealed: z.boolean(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

export const listAudit = endpoint({
  method: 'GET',
  path: '/audit',
  summary: 'The office reads its record, newest first',
  access: 'office',
  audit: 'audit.read',
  query: z.object({
    before: z.optional(z.string().check(z.regex(/^\d{1,18}$/))),
    /** An action, or its first word for all of its kind: `visit` finds `visit.read` and `visit.move`. */
    action: z.optional(z.string().check(z.regex(/^[a-z-]+(\.[a-z-]+)*$/), z.maxLength(60))),
    visit: z.optional(z.uuid()),
    /** First and last day, of the office's time zone. */
    from: z.optional(z.iso.date()),
    to: z.optional(z.iso.date()),
  }),
  reply: z.object({
    entries: z.array(AuditEntry),
    /** Pass as `before` for the next page; null at the end. */
    next: z.nullable(z.string()),
    /** The newest sealed entry's time: what came later is not sealed yet. */
    sealedUntil: z.nullable(Instant),
  }),
});
