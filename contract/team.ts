/**
 * The people of an office: who belongs to it, who is invited, who is taken off.
 *
 * colleague: a person who belongs to the office. invitation: a letter or text to an address or number; whoever signs in by a code sent
 * to that very address belongs to the office from then on. Its link tells who invites whom, and signs nobody in.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { textRefusals } from './refusals.ts';

const Instant = z.iso.datetime();

/** How long an invitation can be taken up, in days. */
export const invitationDays = 7;

export const Colleague = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  since: Instant,
  /** Null: never signed in, or longer ago than sessions are remembered (90 days). */
  lastSignInAt: z.nullable(Instant),
  /** The person who asks. */
  isYou: z.boolean(),
});
export type Colleague = z.output<typeof Colleague>;

export const Invitation = z.object({
  id: z.uuid(),
  /** What the invited person is called until they say; empty when nobody said. */
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  invitedBy: z.string(),
  /** When the last letter or text was on its way; null: it could not be sent. */
  sentAt: z.nullable(Instant),
  expiresAt: Instant,
  expired: z.boolean(),
});
export type Invitation = z.output<typeof Invitation>;

export const Team = z.object({ colleagues: z.array(Colleague), invitations: z.array(Invitation) });
export type Team = z.output<typeof Team>;

export const listTeam = endpoint({
  method: 'GET',
  path: '/office/team',
  summary: 'Who belongs to the office with their last sign-in, and whose invitation is open',
  access: 'office',
  reply: Team,
});

export const inviteColleague = endpoint({
  method: 'POST',
  path: '/office/team/invitations',
  summary: 'Invites a colleague by email or US mobile number; the same one invited twice is one invitation',
  access: 'office',
  audit: 'staff.invite',
  body: z.object({
    name: z.optional(z.string().check(z.maxLength(80))),
    email: z.optional(z.string().check(z.maxLength(254))),
    phone: z.optional(z.string().check(z.maxLength(40))),
  }),
  reply: Invitation,
  refusals: ['invalid_phone', 'already_colleague', 'too_many_tries', 'too_many_emails', ...textRefusals],
});

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/office/team/invitations/:invitationId/resend',
  summary: 'Sends an open or expired invitation again, with a new link and a new week; the old link ends',
  access: 'office',
  audit: 'staff.invite',
  params: z.object({ invitationId: z.uuid() }),
  reply: Invitation,
  refusals: ['invitation_over', 'too_many_tries', 'too_many_emails', ...textRefusals],
});

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/office/team/invitations/:invitationId',
  summary: 'Takes an invitation back: its link ends, and signing in with that address leads to no office',
  access: 'office',
  audit: 'staff.revoke',
  params: z.object({ invitationId: z.uuid() }),
  reply: z.object({ revoked: z.boolean() }),
  refusals: ['invitation_over'],
});

export const removeColleague = endpoint({
  method: 'DELETE',
  path: '/office/team/:personId',
  summary: 'Takes a colleague off the office, at once on HTTP and sockets; never the last one. They are told',
  access: 'office',
  audit: 'staff.remove',
  params: z.object({ personId: z.uuid() }),
  reply: z.object({ removed: z.boolean() }),
  refusals: ['colleague_not_found', 'last_colleague', ...textRefusals],
});

/** What an invitation's link shows to whoever opens it. */
export const OpenInvitation = z.object({
  officeId: z.uuid(),
  officeName: z.string(),
  invitedBy: z.string(),
  /** What it was sent to; one of the two. */
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  expiresAt: Instant,
});
export type OpenInvitation = z.output<typeof OpenInvitation>;

export const readInvitation = endpoint({
  method: 'GET',
  path: '/invitations/:token',
  summary: "What an invitation's link shows: who invites to which office; it signs nobody in",
  access: 'anyone',
  params: z.object({ token: z.string().check(z.maxLength(100)) }),
  reply: OpenInvitation,
  refusals: ['invitation_over'],
});

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invitations/:token/accept',
  summary: 'Joins the office: for a person signed in who signs in with the very address it was sent to',
  access: 'person',
  params: z.object({ token: z.string().check(z.maxLength(100)) }),
  reply: z.object({ officeId: z.uuid() }),
  refusals: ['invitation_over', 'invited_another'],
});
