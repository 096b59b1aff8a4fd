/**
 * The directory: everybody the office knows.
 *
 * patient: a phone number's owner at this office. family: everybody who checked in with that phone.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { FormItem } from './forms/desk.ts';
import { EndReason, TextBlock, VisitStatus } from './queue.ts';
import { Instant } from './shapes.ts';

export const patientsPerPage = 50;
/** Visits and forms of one patient that are shown, the newest first. */
export const visitsShown = 100;
export const formsShown = 100;

export const DirectoryPatient = z.object({
  id: z.uuid(),
  userCode: z.string(),
  /** Empty for a number that was texted and has not checked in. */
  name: z.string(),
  phone: z.string(),
  birthDate: z.nullable(z.iso.date()),
  /** The office's day of the newest visit; null without one. */
  lastVisit: z.nullable(z.iso.date()),
});
export type DirectoryPatient = z.output<typeof DirectoryPatient>;

export const searchPatients = endpoint({
  method: 'POST',
  path: '/patients/search',
  summary:
    "One page of the office's patients by name: all of them, or those whose names, number or birthday begin like the search. A POST, so that no patient's name is in a URL",
  access: 'office',
  etag: true,
  audit: 'patient.list',
  body: z.object({
    search: z.optional(z.string().check(z.maxLength(100))),
    /** `next` of the page before. */
    cursor: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{10,4000}$/))),
  }),
  reply: z.object({
    patients: z.array(DirectoryPatient),
    next: z.nullable(z.string()),
  }),
});

export const PatientVisitFacts = z.object({
  id: z.uuid(),
  /** The office's day. */
  day: z.iso.date(),
  arrivedAt: z.nullable(Instant),
  status: VisitStatus,
  endReason: z.nullable(EndReason),
  /** Who came, the phone's owner first. */
  people: z.array(z.string()),
});
export type PatientVisitFacts = z.output<typeof PatientVisitFacts>;

export const PatientFile = z.object({
  patient: DirectoryPatient,
  family: z.array(z.object({ name: z.string(), birthDate: z.nullable(z.iso.date()) })),
  visits: z.array(PatientVisitFacts),
  moreVisits: z.boolean(),
  forms: z.array(FormItem),
  moreForms: z.boolean(),
  /** Null if nobody has written yet. */
  conversation: z.nullable(
    z.object({ id: z.uuid(), messages: z.int(), unread: z.int(), lastBody: z.string(), lastSent: Instant }),
  ),
  /** Why the number gets no texts; null if it does. */
  textBlock: z.nullable(TextBlock),
});
export type PatientFile = z.output<typeof PatientFile>;

export const readPatient = endpoint({
  method: 'GET',
  path: '/patients/:patientId',
  summary: 'A patient with family, visits, forms and the conversation',
  access: 'office',
  etag: true,
  audit: 'patient.read',
  params: z.object({ patientId: z.uuid() }),
  reply: PatientFile,
  refusals: ['patient_not_found'],
});
