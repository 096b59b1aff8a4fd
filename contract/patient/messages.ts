/** What patient and practice write to each other, as the visit's page shows and sends it. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { FormUrl } from '#contract/forms/shapes.ts';
import { Token } from '#contract/shapes.ts';
import { ByToken, PatientVisit } from './visit.ts';

export const linkToVisitPicture = endpoint({
  method: 'GET',
  path: '/visit/:token/pictures/:attachmentId',
  summary: "A URL of a picture of the visit's messages that works for two minutes and names nothing; texted links only",
  access: 'visit',
  audit: 'visit.read-by-patient',
  params: z.object({ token: Token, attachmentId: z.uuid() }),
  reply: FormUrl,
  refusals: ['visit_link_ended', 'link_not_proved', 'picture_not_found', 'files_away'],
});

/** Characters of a message that a patient writes on the visit's page. */
export const longestPatientMessage = 1600;

export const writeToPractice = endpoint({
  method: 'POST',
  path: '/visit/:token/messages',
  summary:
    'A message of the patient to the front desk; texted links only. A second call with the same clientId adds nothing',
  access: 'visit',
  audit: 'message.receive',
  params: ByToken,
  body: z.object({
    body: z.string().check(z.maxLength(longestPatientMessage)),
    clientId: z.string().check(z.minLength(1), z.maxLength(64)),
  }),
  reply: PatientVisit,
  refusals: ['visit_link_ended', 'link_not_proved', 'empty_message', 'too_many_messages'],
});

export const noteWritingByPatient = endpoint({
  method: 'POST',
  path: '/visit/:token/writing',
  summary: 'Tells the desks that the patient is writing: a hint, nothing is stored; texted links only',
  access: 'visit',
  params: ByToken,
  reply: z.object({ noted: z.boolean() }),
  refusals: ['visit_link_ended', 'link_not_proved'],
});
