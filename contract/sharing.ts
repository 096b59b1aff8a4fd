/**
 * Sharing: a patient shows forms to somebody outside.
 *
 * share: a link made on the visit's page for some of its submitted forms; it ends by itself and can be taken back before.
 * opening: each time somebody looked at what it shows.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant, Token } from './shapes.ts';
import { FormUrl } from './forms/shapes.ts';

/** How long a link may live, and does unless chosen otherwise. */
export const shareHours = { default: 72, choices: [24, 72, 168, 720] } as const;

/** So many openings of a link are told, the newest. */
export const openingsShown = 50;

export const Share = z.object({
  id: z.uuid(),
  /** For whom, in the patient's words. */
  sharedWith: z.string(),
  forms: z.array(
    z.object({
      submissionId: z.uuid(),
      formName: z.string(),
      patientName: z.string(),
      /** The patient filed a newer version since; the link goes on showing the one that was shared. */
      outdated: z.boolean(),
    }),
  ),
  createdAt: Instant,
  expiresAt: Instant,
  revokedAt: z.nullable(Instant),
  revokedBy: z.nullable(z.enum(['patient', 'office'])),
  /** Newest first, `openingsShown` at most. `formName` is null for a look at the list; what a device does not say is null. */
  opened: z.array(
    z.object({
      at: Instant,
      browser: z.nullable(z.string()),
      system: z.nullable(z.string()),
      formName: z.nullable(z.string()),
    }),
  ),
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
  refusals: ['link_not_proved'],
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
  refusals: ['form_not_found', 'too_many_tries', 'link_not_proved'],
});

export const revokeShare = endpoint({
  method: 'DELETE',
  path: '/visit/:token/shares/:shareId',
  summary: 'Takes a link back: it opens nothing any more',
  access: 'visit',
  audit: 'share.revoke',
  params: z.object({ token: Token, shareId: z.uuid() }),
  reply: Share,
  refusals: ['share_not_found', 'link_not_proved'],
});

/** Whether a link opens nothing any more, and why. */
export function shareEnd(share: Pick<Share, 'revokedAt' | 'expiresAt'>, now: number): 'revoked' | 'expired' | null {
  if (share.revokedAt !== null) return 'revoked';
  return Date.parse(share.expiresAt) <= now ? 'expired' : null;
}

// The desk's side: by the form that is open there.

export const listFormShares = endpoint({
  method: 'GET',
  path: '/forms/form/shares',
  summary: 'The links by which the patient shows this form, or an earlier version of it, to somebody outside',
  access: 'office',
  audit: 'share.read',
  query: z.object({ key: z.string().check(z.minLength(1), z.maxLength(200)) }),
  reply: z.array(Share),
  refusals: ['form_not_found'],
});

export const endShare = endpoint({
  method: 'DELETE',
  path: '/forms/form/shares/:shareId',
  summary: "Takes a patient's link back: it opens nothing any more, and the patient sees that the practice ended it",
  access: 'office',
  audit: 'share.revoke',
  params: z.object({ shareId: z.uuid() }),
  reply: Share,
  refusals: ['share_not_found'],
});

// The outside party's side: by the link's token.

/** What a link shows before any form is opened. */
export const SharedForms = z.object({
  checkin: z.object({
    patientName: z.string(),
    createdAt: Instant,
    patientUserCode: z.string(),
    activePatients: z.array(z.object({ name: z.string() })),
  }),
  officeName: z.string(),
  /** Of the office; every time is told by its clock. */
  timeZone: z.string(),
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
  query: z.object({
    token: SharedToken,
    id: z.uuid(),
    office: z.optional(z.string().check(z.maxLength(20))),
    /** Shown in the browser unless it is to be saved. */
    as: z.optional(z.enum(['inline', 'attachment'])),
  }),
  reply: FormUrl,
  refusals: ['share_not_found', 'share_over', 'files_away', 'too_many_tries'],
});
