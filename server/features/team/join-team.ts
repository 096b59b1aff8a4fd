import type { OpenInvitation } from '#contract/team.ts';
import type { AnyoneCtx, Services, PersonCtx } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import {
  addColleague,
  changeInvitation,
  hasIdentity,
  identitiesOf,
  invitationByToken,
  invitationOf,
  invitationsTo,
  lockInvitation,
  lockTeam,
  nameNewcomer,
  type Found,
  type InvitationRow,
  type OpenInvitationRow,
} from './sql.ts';

/** What an invitation's link shows to anyone who opens it. */
export async function readInvitation(ctx: AnyoneCtx, token: string): Promise<OpenInvitation> {
  const { officeId, invitationId } = await foundBy(ctx, token);
  return toOpenInvitation(await asOffice(ctx.db, officeId, (tx) => invitationOf(tx, officeId, invitationId)));
}

/** The open invitations to these addresses and numbers, the oldest first. Reading them joins nothing. */
export async function openInvitationsTo(
  { db, now }: Pick<Services, 'db' | 'now'>,
  values: string[],
): Promise<OpenInvitation[]> {
  return (await invitationsTo(db, values, now())).map(toOpenInvitation);
}

/** Joins by the link: for a person who has proved the address or number it was sent to. */
export async function acceptInvitation(ctx: PersonCtx, token: string): Promise<{ officeId: string }> {
  const found = await foundBy(ctx, token);
  await asOffice(ctx.db, found.officeId, async (tx) => {
    const invitation = await lockOpen(tx, found);
    if (!(await hasIdentity(tx, ctx.caller.personId, invitation.value))) throw new Refusal('invited_another');
    await join(tx, ctx, invitation);
  });
  return { officeId: found.officeId };
}

/** Joins the office of an invitation that the caller's session lists. */
export async function joinOffice(ctx: PersonCtx, invitationId: string): Promise<{ officeId: string }> {
  const found = await ownInvitation(ctx, invitationId);
  await asOffice(ctx.db, found.officeId, async (tx) => join(tx, ctx, await lockOpen(tx, found)));
  return { officeId: found.officeId };
}

/** Ends an invitation that the caller's session lists. The office learns that it was declined, and nothing of the person. */
export async function declineInvitation(ctx: PersonCtx, invitationId: string): Promise<{ declined: boolean }> {
  const found = await ownInvitation(ctx, invitationId);
  const { officeId } = found;
  await asOffice(ctx.db, officeId, async (tx) => {
    const invitation = await lockOpen(tx, found);
    await changeInvitation(tx, invitation, { state: 'declined', endedAt: ctx.now() });
    const actor = { kind: 'house', id: null, name: null } as const;
    const scope = { officeId, actor, requestId: ctx.requestId, now: ctx.now };
    await writeAuditEntry(tx, scope, { action: 'staff.decline', subject: invitationId });
    await sendHint(tx, { office: officeId, type: 'team' });
  });
  return { declined: true };
}

async function join(tx: Tx, ctx: PersonCtx, invitation: InvitationRow): Promise<void> {
  const { officeId, kind, value } = invitation;
  const { personId, personName } = ctx.caller;
  await changeInvitation(tx, invitation, { state: 'accepted', endedAt: ctx.now() });
  const given = { email: kind === 'email' ? value : null, phone: kind === 'phone' ? value : null };
  await addColleague(tx, { officeId, id: ctx.id(), personId, createdAt: ctx.now(), ...given });
  if (invitation.name) await nameNewcomer(tx, personId, invitation.name, invitation.createdAt);
  const actor = { kind: 'staff', id: personId, name: personName } as const;
  const scope = { officeId, actor, requestId: ctx.requestId, now: ctx.now };
  await writeAuditEntry(tx, scope, { action: 'staff.join', subject: personId, details: { invitation: invitation.id } });
  await sendHint(tx, { office: officeId, type: 'team' });
}

/** Locks the team and then the invitation, in the order in which removing a colleague does: either happens first, never half of both. */
async function lockOpen(tx: Tx, { officeId, invitationId }: Found): Promise<InvitationRow> {
  await lockTeam(tx, officeId);
  const invitation = await lockInvitation(tx, officeId, invitationId);
  if (!invitation) throw new Refusal('invitation_over');
  return invitation;
}

async function ownInvitation(ctx: PersonCtx, invitationId: string): Promise<Found> {
  const open = await invitationsTo(ctx.db, await identitiesOf(ctx.db, ctx.caller.personId), ctx.now());
  const own = open.find(({ id }) => id === invitationId);
  if (!own) throw new Refusal('invitation_over');
  return { officeId: own.officeId, invitationId };
}

async function foundBy({ db, now }: AnyoneCtx, token: string): Promise<Found> {
  const found = await invitationByToken(db, hashToken(token), now());
  if (!found) throw new Refusal('invitation_over');
  return found;
}

function toOpenInvitation({ kind, value, invitedByName, expiresAt, ...row }: OpenInvitationRow): OpenInvitation {
  return {
    ...row,
    invitedBy: invitedByName,
    email: kind === 'email' ? value : null,
    phone: kind === 'phone' ? value : null,
    expiresAt: expiresAt.toISOString(),
  };
}
