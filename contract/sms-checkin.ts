/**
 * SMS check-ins: the same visits under the names of the older API.
 *
 * WAIT: expected or waiting. ENTER: invited or on the way. HISTORY: ended.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant } from './shapes.ts';
import { textRefusals } from './refusals/texts.ts';
import { EndReason, isBeforeInvitation, isHistory, TextBlock, TextProblem, TextState, VisitStatus } from './queue.ts';

export const smsStatuses = ['WAIT', 'ENTER', 'HISTORY'] as const;
export const SmsStatus = z.enum(smsStatuses);
export type SmsStatus = z.output<typeof SmsStatus>;

/** The older API's name for a visit's status. */
export function smsStatusOf(status: VisitStatus): SmsStatus {
  if (isHistory(status)) return 'HISTORY';
  return isBeforeInvitation(status) ? 'WAIT' : 'ENTER';
}

/** The message key of a status label. */
export function smsLabelOf(status: VisitStatus, autoInvite: boolean): string {
  if (isBeforeInvitation(status)) return autoInvite ? 'autoinvite' : 'waiting';
  if (status === 'GOING') return 'ontheway';
  return status === 'INVITED' || status === 'REINVITED' ? 'invited' : status.toLowerCase();
}

export const SmsCheckin = z.object({
  _id: z.uuid(),
  status: SmsStatus,
  /** The visit's status in the queue, which decides what staff may do. */
  statusCode: VisitStatus,
  label: z.string(),
  /** Why staff ended it; null if they did not. */
  endReason: z.nullable(EndReason),
  createdAt: Instant,
  /** Null until the patient says "I'm here"; until then the row shows "Text sent {time}". */
  arrivedAt: z.nullable(Instant),
  /** When the visit's newest text was sent; null until the carrier has taken it. */
  textSentAt: z.nullable(Instant),
  /** When a waiting patient will be invited automatically; null without auto-invite. */
  autoInviteAt: z.nullable(Instant),
  /** The visit's newest text and its state. */
  text: z.nullable(
    z.object({
      id: z.uuid(),
      at: Instant,
      state: TextState,
      problem: z.nullable(TextProblem),
      limitedUntil: z.nullable(Instant),
    }),
  ),
  /** Why the number gets no texts; null if it does. */
  textBlock: z.nullable(TextBlock),
  version: z.int(),
  patientId: z.object({ first_name: z.string(), last_name: z.string(), phone: z.string() }),
});
export type SmsCheckin = z.output<typeof SmsCheckin>;

/** The version the caller saw; if the visit has another one, somebody else was faster (409 with the visit). Older callers send none. */
const SeenVersion = z.optional(z.int());

const OfficeId = z.string().check(z.minLength(10), z.maxLength(36));

export const listSmsCheckins = endpoint({
  method: 'GET',
  path: '/appointments/smsCheckin/:officeId',
  summary: "Today's check-ins that are not in History",
  access: 'office',
  etag: true,
  audit: 'queue.read',
  params: z.object({ officeId: OfficeId }),
  reply: z.array(SmsCheckin),
  refusals: ['office_not_found'],
});

export const listSmsHistory = endpoint({
  method: 'GET',
  path: '/appointments/smsCheckin/:officeId/date/:date/status/HISTORY',
  summary: "One day's check-ins in History",
  access: 'office',
  etag: true,
  audit: 'queue.read',
  params: z.object({
    officeId: OfficeId,
    date: z.string().check(z.regex(/^\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/)),
  }),
  reply: z.array(SmsCheckin),
  refusals: ['office_not_found'],
});

export const listExpected = endpoint({
  method: 'GET',
  path: '/appointments/smsCheckin/:officeId/expected',
  summary: 'Patients who were texted today and have not arrived yet; they are not in the queue',
  access: 'office',
  etag: true,
  audit: 'queue.read',
  params: z.object({ officeId: OfficeId }),
  reply: z.array(SmsCheckin),
  refusals: ['office_not_found'],
});

export const addCheckin = endpoint({
  method: 'POST',
  path: '/appointments/addCheckin',
  summary: 'Expects a patient: adds the row and texts them the check-in link',
  access: 'office',
  audit: 'visit.expect',
  creates: true,
  body: z.object({
    text: z.optional(z.string().check(z.maxLength(1400))),
    phone: z.string().check(z.maxLength(40)),
    officeId: z.optional(OfficeId),
  }),
  reply: SmsCheckin,
  refusals: [
    'office_not_found',
    'invalid_phone',
    'visit_running',
    'number_opted_out',
    'number_is_landline',
    ...textRefusals,
  ],
});

export const resendCheckin = endpoint({
  method: 'POST',
  path: '/appointments/resendCheckin',
  summary: 'Resends the check-in link to an expected patient',
  access: 'office',
  audit: 'visit.link',
  creates: true,
  body: z.object({ id: z.uuid() }),
  reply: SmsCheckin,
  refusals: [
    'visit_not_found',
    'visit_moved_on',
    'visit_not_today',
    'number_opted_out',
    'number_is_landline',
    ...textRefusals,
  ],
});

export const correctCheckin = endpoint({
  method: 'POST',
  path: '/appointments/correctCheckin',
  summary:
    "Corrects an expected patient's number: texts the new number, and the link at the wrong number stops working",
  access: 'office',
  audit: 'visit.expect',
  creates: true,
  body: z.object({
    id: z.uuid(),
    phone: z.string().check(z.maxLength(40)),
    text: z.optional(z.string().check(z.maxLength(1400))),
  }),
  reply: SmsCheckin,
  refusals: [
    'visit_not_found',
    'visit_moved_on',
    'visit_not_today',
    'invalid_phone',
    'visit_running',
    'number_opted_out',
    'number_is_landline',
    ...textRefusals,
  ],
});

export const updateCheckin = endpoint({
  method: 'POST',
  path: '/appointments/updateCheckin',
  summary: "Changes a check-in: 'Invite in' is ENTER, 'Move to history' is HISTORY",
  access: 'office',
  audit: 'visit.move',
  body: z.object({ id: z.uuid(), version: SeenVersion, status: SmsStatus }),
  reply: SmsCheckin,
  refusals: ['visit_not_found', 'visit_moved_on', 'visit_not_today', ...textRefusals],
});

export const reinviteCheckin = endpoint({
  method: 'POST',
  path: '/appointments/reinvite',
  summary: 'Texts the patient again; the status does not change',
  access: 'office',
  audit: 'visit.move',
  creates: true,
  body: z.object({ id: z.uuid(), version: SeenVersion }),
  reply: SmsCheckin,
  refusals: ['visit_not_found', 'visit_moved_on', 'visit_not_today', ...textRefusals],
});
