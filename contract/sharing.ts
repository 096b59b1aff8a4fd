/**
 * Sharing: a patient shows forms to somebody outside the practice.
 *
 * share: a link made on the visit's page for some of its submitted forms; it expires by itself and can be revoked earlier.
 * opening: one view of the shared list or of one shared form.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant, Token } from './shapes.ts';
import { FormUrl } from './forms/shapes.ts';

/** The lifetimes a link can have, and the default. */
export const shareHours = { default: 72, choices: [24, 72, 168, 720] } as const;

/** At most this many openings are listed, newest first. */
export const maxOpeningsShown = 50;

export const Share = z.object({
  id: z.uuid(),
  /** The recipient, as the patient named them. */
  sharedWith: z.string(),
  forms: z.array(
    z.object({
      submissionId: z.uuid(),
      formName: z.string(),
      patientName: z.string(),
      /** The patient has since submitted a newer version; the link keeps showing the shared one. */
      outdated: z.boolean(),
    }),
  ),
  createdAt: Instant,
  expiresAt: Instant,
  revokedAt: z.nullable(Instant),
  revokedBy: z.nullable(z.enum(['patient', 'office'])),
  /** Newest first, at most `openingsShown`. `formName` is null for a view of the list; what the device does not report is null. */
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
  summary: "The patient's share links, with who opened them and when",
  access: 'visit',
  params: OfVisit,
  reply: z.array(Share),
  etag: true,
  refusals: ['link_not_proved'],
});

export const makeShare = endpoint({
  method: 'POST',
  path: '/visit/:token/shares',
  summary: 'Creates a link to submitted forms of this visit; only this reply contains its URL',
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
  summary: 'Revokes a share link',
  access: 'visit',
  audit: 'share.revoke',
  params: z.object({ token: Token, shareId: z.uuid() }),
  reply: Share,
  refusals: ['share_not_found', 'link_not_proved'],
});

/** Why a link has ended; null while it still opens. */
export function shareEnd(share: Pick<Share, 'revokedAt' | 'expiresAt'>, now: number): 'revoked' | 'expired' | null {
  if (share.revokedAt !== null) return 'revoked';
  return Date.parse(share.expiresAt) <= now ? 'expired' : null;
}

// For the desk: shown next to the open form.

export const listFormShares = endpoint({
  method: 'GET',
  path: '/forms/form/shares',
  summary: 'The links by which the patient shares this form, or an earlier version of it',
  access: 'office',
  etag: true,
  audit: 'share.read',
  query: z.object({ key: z.string().check(z.minLength(1), z.maxLength(200)) }),
  reply: z.array(Share),
  refusals: ['form_not_found'],
});

export const endShare = endpoint({
  method: 'DELETE',
  path: '/forms/form/shares/:shareId',
  summary: "Revokes a patient's share link; the patient sees that the practice ended it",
  access: 'office',
  audit: 'share.revoke',
  params: z.object({ shareId: z.uuid() }),
  reply: Share,
  refusals: ['share_not_found'],
});

// For the outside party: identified by the link's token.

/** What a link shows before a form is opened. */
export const SharedForms = z.object({
  checkin: z.object({
    patientName: z.string(),
    createdAt: Instant,
    patientUserCode: z.string(),
    activePatients: z.array(z.object({ name: z.string() })),
  }),
  officeName: z.string(),
  /** The number to call; null if the practice has told us none. */
  officePhone: z.nullable(z.string()),
  /** The office's time zone; every time is shown in it. */
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
  summary: 'A short-lived URL of one shared PDF',
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
