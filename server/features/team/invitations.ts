import { invitationDays, type Invitation } from '#contract/team.ts';
import { formatPhone } from '#contract/phone-format.ts';
import type { OfficeCtx } from '#server/context.ts';
import { readIdentifier } from '#server/features/sign-in/index.ts';
import { requireRecentProof } from '#server/features/security/index.ts';
import { linkPlaceholder, queueText } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { describeError } from '#server/kit/log.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { oneLine } from '#server/kit/look-alike-letters.ts';
import { isLimited, officeRow } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { countEmail, countTextInvitation } from './email-budgets.ts';
import { invitationEmail, invitationSubject, invitationText } from './emails.ts';
import { locales } from '#questionnaire/language/language.ts';
import {
  addInvitation,
  isMemberIdentifier,
  changeInvitation,
  lockInvitation,
  lockTeam,
  openInvitationTo,
  type InvitationRow,
} from './sql.ts';

/** Invites a colleague by email or text. An open invitation is not sent again: use `resendInvitation`. */
export async function inviteColleague(
  ctx: OfficeCtx,
  input: { name?: string | undefined; email?: string | undefined; phone?: string | undefined },
): Promise<Invitation> {
  requireRecentProof(ctx);
  const to = readIdentifier(input);
  const token = newToken();
  const name = input.name?.trim() ?? '';
  const { invitation, isNew } = await ctx.transaction(async (tx) => {
    await lockTeam(tx, ctx.officeId);
    if (await isMemberIdentifier(tx, ctx.officeId, to.value)) throw new Refusal('already_colleague');
    const open = await openInvitationTo(tx, ctx.officeId, to.value);
    if (open && open.expiresAt > ctx.now()) return { invitation: open, isNew: false };
    const row = open
      ? await changeInvitation(tx, open, { ...freshLink(ctx, token), ...(name && { name }) })
      : await addInvitation(tx, {
          officeId: ctx.officeId,
          id: ctx.id(),
          ...to,
          name,
          createdAt: ctx.now(),
          ...freshLink(ctx, token),
        });
    return { invitation: await announceInvitation(tx, ctx, row, token), isNew: true };
  });
  return toInvitation(isNew ? await sendInvitationEmail(ctx, invitation, token) : invitation, ctx.now());
}

/** Sends an invitation again with a new link, valid for another week; the old link stops working. */
export async function resendInvitation(ctx: OfficeCtx, invitationId: string): Promise<Invitation> {
  requireRecentProof(ctx);
  const token = newToken();
  const invitation = await ctx.transaction(async (tx) => {
    const open = await lockInvitation(tx, ctx.officeId, invitationId);
    if (!open) throw new Refusal('invitation_over');
    return announceInvitation(tx, ctx, await changeInvitation(tx, open, freshLink(ctx, token)), token);
  });
  return toInvitation(await sendInvitationEmail(ctx, invitation, token), ctx.now());
}

export async function revokeInvitation(ctx: OfficeCtx, invitationId: string): Promise<{ revoked: boolean }> {
  await ctx.transaction(async (tx) => {
    const open = await lockInvitation(tx, ctx.officeId, invitationId);
    if (!open) throw new Refusal('invitation_over');
    await changeInvitation(tx, open, { state: 'revoked', endedAt: ctx.now() });
    await writeAuditEntry(tx, ctx, { action: 'staff.revoke', subject: invitationId });
    await sendHint(tx, { office: ctx.officeId, type: 'team' });
  });
  return { revoked: true };
}

/** Whoever sends an invitation owns it: it is revoked when they are removed. */
function freshLink({ now, caller }: OfficeCtx, token: string) {
  return {
    invitedBy: caller.personId,
    invitedByName: caller.personName,
    tokenHash: hashToken(token),
    expiresAt: new Date(now().getTime() + invitationDays * 86_400_000),
    sentAt: null,
    textId: null,
  };
}

/** Writes the audit entry, the hint and the text in the invitation's transaction. */
async function announceInvitation(
  tx: Tx,
  ctx: OfficeCtx,
  invitation: InvitationRow,
  token: string,
): Promise<InvitationRow> {
  await writeAuditEntry(tx, ctx, { action: 'staff.invite', subject: invitation.id, details: { by: invitation.kind } });
  await sendHint(tx, { office: ctx.officeId, type: 'team' });
  if (invitation.kind === 'email') {
    const refusal = await countEmail(tx, ctx, invitation.value);
    if (refusal) throw refusal;
    return invitation;
  }
  if (await isLimited(tx, ctx.officeId)) throw new Refusal('limited_phone_invitation');
  const wait = await countTextInvitation(tx, ctx);
  if (wait !== null) throw new Refusal('too_many_tries', undefined, wait);
  const details = await invitationDetails(tx, ctx, invitation, token);
  const body = invitationText[ctx.language]({ ...details, url: linkPlaceholder });
  const { url: link } = details;
  const text = { kind: 'link', visitId: null, patientId: null, toPhone: invitation.value, body, link } as const;
  return changeInvitation(tx, invitation, { textId: await queueText(tx, ctx, text), sentAt: ctx.now() });
}

/** Sends the email after the commit. If sending fails, the team page shows the invitation as not sent, and it can be resent. */
async function sendInvitationEmail(ctx: OfficeCtx, invitation: InvitationRow, token: string): Promise<InvitationRow> {
  if (invitation.kind !== 'email') return invitation;
  const { language } = ctx;
  const details = await ctx.transaction((tx) => invitationDetails(tx, ctx, invitation, token));
  try {
    await ctx.providers.email.send({
      to: invitation.value,
      subject: invitationSubject[language](details),
      text: invitationEmail[language](details),
      language,
      reference: ctx.id(),
      isCounted: true,
    });
  } catch (error) {
    ctx.log.warn({ invitation: invitation.id, err: describeError(error as Error) }, 'an invitation was not sent');
    return invitation;
  }
  return ctx.transaction(async (tx) => {
    await sendHint(tx, { office: ctx.officeId, type: 'team' });
    return changeInvitation(tx, invitation, { sentAt: ctx.now() });
  });
}

async function invitationDetails(tx: Tx, ctx: OfficeCtx, { value, expiresAt }: InvitationRow, token: string) {
  const { name: office, timeZone } = await officeRow(tx, ctx.officeId);
  const { publicUrl, productName: product } = ctx.env;
  return {
    product,
    // Both are free text and go to people who never asked for this email.
    office: oneLine(office),
    by: oneLine(ctx.caller.personName),
    to: formatPhone(value),
    url: `${publicUrl}/join/${token}`,
    until: new Intl.DateTimeFormat(locales[ctx.language], { dateStyle: 'long', timeZone }).format(expiresAt),
  };
}

export function toInvitation(row: InvitationRow & { failed?: boolean }, now: Date): Invitation {
  return {
    id: row.id,
    name: row.name,
    email: row.kind === 'email' ? row.value : null,
    phone: row.kind === 'phone' ? row.value : null,
    invitedBy: row.invitedByName,
    sentAt: row.failed ? null : (row.sentAt?.toISOString() ?? null),
    expiresAt: row.expiresAt.toISOString(),
    expired: row.expiresAt <= now,
  };
}
