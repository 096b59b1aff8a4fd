import type { OpenInvitation } from '#contract/team.ts';
import type { AnyoneCtx, PersonCtx } from '#server/ctx.ts';
import { record } from '#server/kit/audit.ts';
import { asOffice, type Tx } from '#server/kit/db.ts';
import { tell } from '#server/kit/live.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { hashToken } from '#server/kit/secret.ts';
import {
  addColleague,
  changeInvitation,
  enterOffice,
  hasIdentity,
  invitationByToken,
  invitationOf,
  invitationsTo,
  lockInvitation,
  lockTeam,
  nameNewcomer,
  type Found,
} from './sql.ts';

type Joins = Pick<AnyoneCtx, 'id' | 'now' | 'requestId'>;
interface Joiner {
  personId: string;
  personName: string;
}

/** What an invitation's link shows to whoever opens it. */
export async function readInvitation(ctx: AnyoneCtx, token: string): Promise<OpenInvitation> {
  const { officeId, invitationId } = await foundBy(ctx, token);
  const found = await asOffice(ctx.db, officeId, (tx) => invitationOf(tx, officeId, invitationId));
  return {
    officeId,
    officeName: found.officeName,
    invitedBy: found.invitedByName,
    email: found.kind === 'email' ? found.value : null,
    phone: found.kind === 'phone' ? found.value : null,
    expiresAt: found.expiresAt.toISOString(),
  };
}

/** Joins by the link, for whoever is signed in already and has proved the very address it was sent to. */
export async function acceptInvitation(ctx: PersonCtx, token: string): Promise<{ officeId: string }> {
  const found = await foundBy(ctx, token);
  await asOffice(ctx.db, found.officeId, async (tx) => {
    await lockTeam(tx, found.officeId);
    const invitation = await lockInvitation(tx, found.officeId, found.invitationId);
    if (!invitation) throw new Refusal('invitation_over');
    if (!(await hasIdentity(tx, ctx.caller.personId, invitation.value))) throw new Refusal('invited_another');
    await join(tx, ctx, found, ctx.caller);
  });
  return { officeId: found.officeId };
}

/**
 * Whoever proved an address belongs to every office that invited it. In the transaction of the right code, which leaves it inside the
 * last of those offices.
 */
export async function joinWhereInvited(tx: Tx, ctx: Joins, value: string, joiner: Joiner): Promise<void> {
  for (const found of await invitationsTo(tx, value, ctx.now())) {
    await enterOffice(tx, found.officeId);
    await lockTeam(tx, found.officeId);
    await join(tx, ctx, found, joiner);
  }
}

async function join(tx: Tx, ctx: Joins, { officeId, invitationId }: Found, joiner: Joiner): Promise<void> {
  const invitation = await lockInvitation(tx, officeId, invitationId);
  if (!invitation) return; // taken back, or taken up, at this very moment
  const { personId, personName } = joiner;
  await changeInvitation(tx, invitation, { state: 'accepted', endedAt: ctx.now() });
  await addColleague(tx, { officeId, id: ctx.id(), personId, createdAt: ctx.now() });
  if (invitation.name) await nameNewcomer(tx, personId, invitation.name, invitation.createdAt);
  const actor = { kind: 'staff', id: personId, name: personName } as const;
  const scope = { officeId, actor, requestId: ctx.requestId, now: ctx.now };
  await record(tx, scope, { action: 'staff.join', subject: personId, details: { invitation: invitationId } });
  await tell(tx, { office: officeId, type: 'team' });
}

async function foundBy({ db, now }: AnyoneCtx, token: string): Promise<Found> {
  const found = await invitationByToken(db, hashToken(token), now());
  if (!found) throw new Refusal('invitation_over');
  return found;
}
