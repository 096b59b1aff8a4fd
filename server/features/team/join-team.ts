import type { OpenInvitation } from '#contract/team.ts';
import { systemActor, type AnyoneCtx, type Services, type PersonCtx } from '#server/context.ts';
import { identitiesOf } from '#server/identities.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import {
  addMembership,
  changeInvitation,
  hasIdentity,
  invitationByToken,
  invitationOf,
  invitationsTo,
  lockInvitation,
  lockTeam,
  setNewcomerName,
  type InvitationKey,
  type InvitationRow,
  type OpenInvitationRow,
} from './sql.ts';

/** What an invitation's link shows to anyone who opens it. */
export async function readInvitation(ctx: AnyoneCtx, token: string): Promise<OpenInvitation> {
  const { officeId, invitationId } = await invitationKeyOf(ctx, token);
  return toOpenInvitation(await asOffice(ctx.db, officeId, (tx) => invitationOf(tx, officeId, invitationId)));
}

/** The open invitations to these addresses and numbers, the oldest first. */
export async function openInvitationsTo(
  { db, now }: Pick<Services, 'db' | 'now'>,
  values: string[],
): Promise<OpenInvitation[]> {
  return (await invitationsTo(db, values, now())).map(toOpenInvitation);
}

/** Joins with an invitation's link; only for a person with the email or number it was sent to. */
export async function acceptInvitation(ctx: PersonCtx, token: string): Promise<{ officeId: string }> {
  const key = await invitationKeyOf(ctx, token);
  await asOffice(ctx.db, key.officeId, async (tx) => {
    const invitation = await lockOpenInvitation(tx, key);
    if (!(await hasIdentity(tx, ctx.caller.personId, invitation.value))) throw new Refusal('invited_another');
    await joinTeam(tx, ctx, invitation);
  });
  return { officeId: key.officeId };
}

/** Joins the office of an invitation that the caller's session lists. */
export async function joinOffice(ctx: PersonCtx, invitationId: string): Promise<{ officeId: string }> {
  const key = await ownInvitation(ctx, invitationId);
  await asOffice(ctx.db, key.officeId, async (tx) => joinTeam(tx, ctx, await lockOpenInvitation(tx, key)));
  return { officeId: key.officeId };
}

/** Declines an invitation that the caller's session lists. The office learns only that it was declined. */
export async function declineInvitation(ctx: PersonCtx, invitationId: string): Promise<{ declined: boolean }> {
  const key = await ownInvitation(ctx, invitationId);
  const { officeId } = key;
  await asOffice(ctx.db, officeId, async (tx) => {
    const invitation = await lockOpenInvitation(tx, key);
    await changeInvitation(tx, invitation, { state: 'declined', endedAt: ctx.now() });
    const scope = { officeId, actor: systemActor, requestId: ctx.requestId, now: ctx.now };
    await writeAuditEntry(tx, scope, { action: 'staff.decline', subject: invitationId });
    await sendHint(tx, { office: officeId, type: 'team' });
  });
  return { declined: true };
}

async function joinTeam(tx: Tx, ctx: PersonCtx, invitation: InvitationRow): Promise<void> {
  const { officeId, kind, value } = invitation;
  const { personId, personName } = ctx.caller;
  await changeInvitation(tx, invitation, { state: 'accepted', endedAt: ctx.now() });
  const identity = { email: kind === 'email' ? value : null, phone: kind === 'phone' ? value : null };
  await addMembership(tx, { officeId, id: ctx.id(), personId, createdAt: ctx.now(), ...identity });
  if (invitation.name) await setNewcomerName(tx, personId, invitation.name, invitation.createdAt);
  const actor = { kind: 'staff', id: personId, name: personName } as const;
  const scope = { officeId, actor, requestId: ctx.requestId, now: ctx.now };
  await writeAuditEntry(tx, scope, { action: 'staff.join', subject: personId, details: { invitation: invitation.id } });
  await sendHint(tx, { office: officeId, type: 'team' });
}

/** Locks the team, then the invitation: the same order as `removeColleague`, so that they cannot deadlock or interleave. */
async function lockOpenInvitation(tx: Tx, { officeId, invitationId }: InvitationKey): Promise<InvitationRow> {
  await lockTeam(tx, officeId);
  const invitation = await lockInvitation(tx, officeId, invitationId);
  if (!invitation) throw new Refusal('invitation_over');
  return invitation;
}

async function ownInvitation(ctx: PersonCtx, invitationId: string): Promise<InvitationKey> {
  const values = (await identitiesOf(ctx.db, ctx.caller.personId)).map(({ value }) => value);
  const open = await invitationsTo(ctx.db, values, ctx.now());
  const own = open.find(({ id }) => id === invitationId);
  if (!own) throw new Refusal('invitation_over');
  return { officeId: own.officeId, invitationId };
}

async function invitationKeyOf({ db, now }: AnyoneCtx, token: string): Promise<InvitationKey> {
  const key = await invitationByToken(db, hashToken(token), now());
  if (!key) throw new Refusal('invitation_over');
  return key;
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
