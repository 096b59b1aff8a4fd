/**
 * The people of an office: members, invitations, and removing a member.
 *
 * colleague: a member of the office. The office sees the address or number that it was given, and nothing else of the person.
 * invitation: an email or text to an address or number. A person who signs in with that identity sees it and joins, or declines, with
 * one press. Its link shows who invites whom, and signs nobody in.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant, Npi } from './shapes.ts';
import { textRefusals } from './refusals.ts';

/** How long an invitation can be taken up, in days. */
export const invitationDays = 7;

export const Colleague = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The address or number that was invited, or that registered the office. */
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  since: Instant,
  /** The last sign-in at this office; null when there is none. */
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
  refusals: [
    'invalid_phone',
    'proof_needed',
    'already_colleague',
    'too_many_tries',
    'too_many_emails',
    'limited_phone_invitation',
    ...textRefusals,
  ],
});

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/office/team/invitations/:invitationId/resend',
  summary: 'Sends an open or expired invitation again, with a new link and a new week; the old link ends',
  access: 'office',
  audit: 'staff.invite',
  params: z.object({ invitationId: z.uuid() }),
  reply: Invitation,
  refusals: [
    'invitation_over',
    'proof_needed',
    'too_many_tries',
    'too_many_emails',
    'limited_phone_invitation',
    ...textRefusals,
  ],
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
  summary:
    'Removes a colleague, at once on HTTP and sockets, and ends the invitations they made; never the last one. They get an email or text',
  access: 'office',
  audit: 'staff.remove',
  params: z.object({ personId: z.uuid() }),
  reply: z.object({ removed: z.boolean() }),
  refusals: ['colleague_not_found', 'proof_needed', 'last_colleague'],
});

/** An invitation as the invited person sees it, by its link or after signing in. */
export const OpenInvitation = z.object({
  id: z.uuid(),
  officeId: z.uuid(),
  npi: Npi,
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
  summary: 'Joins the office by the link: for a person who signs in with the address or number it was sent to',
  access: 'person',
  params: z.object({ token: z.string().check(z.maxLength(100)) }),
  reply: z.object({ officeId: z.uuid() }),
  refusals: ['invitation_over', 'invited_another'],
});

export const joinOffice = endpoint({
  method: 'POST',
  path: '/session/invitations/:invitationId/accept',
  summary: "Joins the office: for one of the open invitations that the caller's session lists",
  access: 'person',
  params: z.object({ invitationId: z.uuid() }),
  reply: z.object({ officeId: z.uuid() }),
  refusals: ['invitation_over'],
});

export const declineInvitation = endpoint({
  method: 'POST',
  path: '/session/invitations/:invitationId/decline',
  summary: "Ends one of the open invitations that the caller's session lists, without joining",
  access: 'person',
  params: z.object({ invitationId: z.uuid() }),
  reply: z.object({ declined: z.boolean() }),
  refusals: ['invitation_over'],
});
