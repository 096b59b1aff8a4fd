/**
 * The people of an office: members, invitations, and removing a member.
 *
 * colleague: a member of the office. The office sees the address or number it invited, and nothing else about the person.
 * invitation: an email or text to an address or number. A person who signs in with that identity sees it and joins or declines with one
 * press. Its link shows who invites them to which office; it does not sign anybody in.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant, Npi } from './shapes.ts';
import { textRefusals } from './refusals/texts.ts';

/** How many days an invitation can be accepted. */
export const invitationDays = 7;

/** A member of the office by what the office was given. Nothing else about the person: their name is theirs to show. */
export const Colleague = z.object({
  id: z.uuid(),
  /** The address or number that was invited, or that registered the office. */
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** When they joined. */
  since: Instant,
  /** This is the caller. */
  isYou: z.boolean(),
});
export type Colleague = z.output<typeof Colleague>;

export const Invitation = z.object({
  id: z.uuid(),
  /** The invited person's name until they change it; empty if the inviter left it out. */
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  invitedBy: z.string(),
  /** When the last email or text was sent. Null if sending failed. */
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
  summary: 'The members of the office, and its open invitations',
  access: 'office',
  reply: Team,
});

export const inviteColleague = endpoint({
  method: 'POST',
  path: '/office/team/invitations',
  summary: 'Invites a colleague by email or US mobile number; inviting the same one twice is one invitation',
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
    'too_many_emails_to_address',
    'limited_phone_invitation',
    ...textRefusals,
  ],
});

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/office/team/invitations/:invitationId/resend',
  summary: 'Resends an open or expired invitation with a new link, valid for another week; the old link stops working',
  access: 'office',
  audit: 'staff.invite',
  params: z.object({ invitationId: z.uuid() }),
  reply: Invitation,
  refusals: [
    'invitation_over',
    'proof_needed',
    'too_many_tries',
    'too_many_emails',
    'too_many_emails_to_address',
    'limited_phone_invitation',
    ...textRefusals,
  ],
});

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/office/team/invitations/:invitationId',
  summary:
    'Cancels an invitation: its link stops working, and signing in with that address no longer offers the office',
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
    'Removes a colleague, at once on HTTP and sockets, and cancels their invitations; never the last member. Notifies them by email or text',
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
  /** Where it was sent; exactly one of the two is set. */
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  expiresAt: Instant,
});
export type OpenInvitation = z.output<typeof OpenInvitation>;

export const readInvitation = endpoint({
  method: 'GET',
  path: '/invitations/:token',
  summary: "What an invitation's link shows: who invites to which office. It does not sign anybody in",
  access: 'anyone',
  params: z.object({ token: z.string().check(z.maxLength(100)) }),
  reply: OpenInvitation,
  refusals: ['invitation_over'],
});

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invitations/:token/accept',
  summary: 'Joins the office by the link, for a person who signed in with the address or number it was sent to',
  access: 'person',
  params: z.object({ token: z.string().check(z.maxLength(100)) }),
  reply: z.object({ officeId: z.uuid() }),
  refusals: ['invitation_over', 'invited_another'],
});

export const joinOffice = endpoint({
  method: 'POST',
  path: '/session/invitations/:invitationId/accept',
  summary: "Joins the office, for one of the open invitations in the caller's session",
  access: 'person',
  params: z.object({ invitationId: z.uuid() }),
  reply: z.object({ officeId: z.uuid() }),
  refusals: ['invitation_over'],
});

export const declineInvitation = endpoint({
  method: 'POST',
  path: '/session/invitations/:invitationId/decline',
  summary: "Declines one of the open invitations in the caller's session",
  access: 'person',
  params: z.object({ invitationId: z.uuid() }),
  reply: z.object({ declined: z.boolean() }),
  refusals: ['invitation_over'],
});
