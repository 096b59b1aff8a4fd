/**
 * Sharing: a patient shows forms to somebody outside.
 *
 * share: a link made on the visit's page for some of its submitted forms; it ends by itself and can be taken back before.
 * opening: each time somebody looked at what it shows.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

const Instant = z.iso.datetime();
const Token = z.string().check(z.regex(/^[A-Za-z0-9_-]{22,64}$/));

/** How long a link may live, and does unless chosen otherwise. */
export const shareHours = { default: 72, choices: [24, 72, 168, 720] } as const;

export const Share = z.object({
  id: z.uuid(),
  /** For whom, in the patient's words. */
  sharedWith: z.string(),
  forms: z.array(z.object({ submissionId: z.uuid(), formName: z.string(), patientName: z.string() })),
  createdAt: Instant,
  expiresAt: Instant,
  revokedAt: z.nullable(Instant),
  /** Newest first, 50 at most. */
  opened: z.array(z.object({ at: Instant, browser: z.string(), formName: z.nullable(z.string()) })),
});
export type Share = z.output<typeof Share>;

const OfVisit = z.object({ token: Token });

export const listShares = endpoint({
  method: 'GET',
  path: '/visit/:token/shares',
  summary: 'The links this patient made, and by whom they were opened when',
  access: 'visit',
  params: OfVisit,
  reply: z.array(Share),
});

export const makeShare = endpoint({
  method: 'POST',
  path: '/visit/:token/shares',
  summary: 'Makes a link to submitted forms of this visit; its address is told this once',
  access: 'visit',
  audit: 'share.make',
  params: OfVisit,
  body: z.object({
    sharedWith: z.string().check(z.trim(), z.minLength(1), z.maxLength(120)),
    submissionIds: z.array(z.uuid()).check(z.minLength(1), z.maxLength(100)),
    hours: z.optional(z.int().check(z.minimum(1), z.maximum(720))),
  }),
  reply: z.object({ share: Share, url: z.string() }),
  refusals: ['form_not_found', 'too_many_tries'],
});

export const revokeShare = endpoint({
  method: 'DELETE',
  path: '/visit/:token/shares/:shareId',
  summary: 'Takes a link back: it opens nothing any more',
  access: 'visit',
  audit: 'share.revoke',
  params: z.object({ token: Token, shareId: z.uuid() }),
  reply: Share,
  refusals: ['share_not_found'],
});

/** What a link shows before any form is opened. */
export const SharedForms = z.object({
  checkin: z.object({
    patientName: z.string(),
    createdAt: Instant,
    patientUserCode: z.string(),
    activePatients: z.array(z.object({ name: z.string() })),
  }),
  officeName: z.string(),
  forms: z.array(
    z.object({ submissionId: z.uuid(), formName: z.string(), patientName: z.string(), completedAt: Instant }),
  ),
  expiresAt: Instant,
});
export type SharedForms = z.output<typeof SharedForms>;

const SharedToken = z.string().check(z.maxLength(200));

export const readSharedForms = endpoint({
  method: 'GET',
  path: '/forms/shared-forms',
  summary: 'What a patient shared, for whoever has the link. 410: it has ended; 404: there never was one',
  access: 'anyone',
  audit: 'share.open',
  query: z.object({ token: SharedToken, office: z.optional(z.string().check(z.maxLength(20))) }),
  reply: SharedForms,
  refusals: ['share_not_found', 'share_over', 'too_many_tries'],
});

export const openSharedForm = endpoint({
  method: 'GET',
  path: '/forms/shared-forms/form',
  summary: 'A short-lived address of one shared PDF',
  access: 'anyone',
  audit: 'share.open-form',
  query: z.object({ token: SharedToken, id: z.uuid(), office: z.optional(z.string().check(z.maxLength(20))) }),
  reply: z.object({ url: z.string(), fileName: z.string(), expiresAt: Instant }),
  refusals: ['share_not_found', 'share_over', 'files_away', 'too_many_tries'],
});
