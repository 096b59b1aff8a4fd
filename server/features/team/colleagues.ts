import type { Team } from '#contract/team.ts';
import type { OfficeCtx } from '#server/context.ts';
import { endMerchantLinks } from '#server/features/merchant/index.ts';
import { stopPushesTo } from '#server/features/push/index.ts';
import { requireRecentProof } from '#server/features/security/index.ts';
import { queueText } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { markMerchantLinks } from '#server/merchant-links.ts';
import { lockIdleSessions } from '#server/session-lock.ts';
import { describeError } from '#server/kit/log.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { countEmail } from './email-budgets.ts';
import { toInvitation } from './invitations.ts';
import { removalMessage } from './emails.ts';
import { colleaguesOf, deleteMembership, lockTeam, openInvitations, revokeInvitationsOf } from './sql.ts';

/** The members of the office and its open invitations. */
export async function listTeam(ctx: OfficeCtx): Promise<Team> {
  const [colleagues, invitations] = await ctx.transaction((tx) =>
    Promise.all([colleaguesOf(tx, ctx.officeId), openInvitations(tx, ctx.officeId)]),
  );
  return {
    colleagues: colleagues.map(({ since, ...colleague }) => ({
      ...colleague,
      since: since.toISOString(),
      isYou: colleague.id === ctx.caller.personId,
    })),
    invitations: invitations.map((invitation) => toInvitation(invitation, ctx.now())),
  };
}

/** Removes a colleague. With the commit they lose access to the office, their open panels close, their
 * invitations are revoked, and the links to the merchant's hosted form end. */
export async function removeColleague(ctx: OfficeCtx, personId: string): Promise<{ removed: boolean }> {
  const { officeId } = ctx;
  const caller = requireRecentProof(ctx);
  const { office, emailTo } = await ctx.transaction(async (tx) => {
    await markMerchantLinks(tx, officeId, ctx.now());
    const { name } = await lockTeam(tx, officeId);
    const team = await colleaguesOf(tx, officeId);
    // The caller was removed by a parallel request.
    if (!team.some(({ id }) => id === caller.personId)) throw new Refusal('office_not_found');
    const colleague = team.find(({ id }) => id === personId);
    if (!colleague) throw new Refusal('colleague_not_found');
    if (team.length === 1) throw new Refusal('last_colleague');

    await lockIdleSessions(tx, officeId, ctx.now(), personId);
    await deleteMembership(tx, officeId, personId);
    await revokeInvitationsOf(tx, officeId, personId, ctx.now());
    await stopPushesTo(tx, officeId, personId);
    await writeAuditEntry(tx, ctx, { action: 'staff.remove', subject: personId });
    await sendHint(tx, { office: officeId, type: 'team', removed: personId });
    if (!colleague.email && colleague.phone && personId !== caller.personId) {
      const body = removalMessage(name, ctx.env.productName)[ctx.language];
      const text = { kind: 'message', visitId: null, patientId: null, toPhone: colleague.phone, body } as const;
      await queueText(tx, ctx, text).catch((error: unknown) => {
        // The text is a courtesy: a limit on texts must not stop the removal.
        if (!(error instanceof Refusal)) throw error;
        ctx.log.warn({ code: error.code }, 'removal text not sent: over a limit on texts');
      });
    }
    const to = personId === caller.personId ? null : colleague.email;
    const refusal = to === null ? null : await countEmail(tx, ctx, to);
    if (!refusal) return { office: name, emailTo: to };
    ctx.log.warn({ code: refusal.code }, 'removal email not sent: over a limit on emails');
    return { office: name, emailTo: null };
  });
  await endMerchantLinks(ctx);
  if (emailTo !== null) await sendRemovalEmail(ctx, office, emailTo);
  return { removed: true };
}

/** A courtesy: a failed email changes nothing. */
async function sendRemovalEmail(ctx: OfficeCtx, office: string, to: string): Promise<void> {
  const message = removalMessage(office, ctx.env.productName);
  const { language } = ctx;
  await ctx.providers.email
    .send({
      to,
      subject: message.subject[language],
      text: message[language],
      language,
      reference: ctx.id(),
      isCounted: true,
    })
    .catch((error: Error) => ctx.log.warn({ err: describeError(error) }, 'removal email failed'));
}
