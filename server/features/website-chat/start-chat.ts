import { randomBytes } from 'node:crypto';
import type { Language } from '#contract/shapes.ts';
import type { VisitorChat } from '#contract/website-chat.ts';
import type { AnyoneCtx, OfficeScope } from '#server/context.ts';
import { openVisitorConversation } from '#server/features/conversations/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { visitorTokenEnd } from '#server/visitor-token.ts';
import { chatFrontOf, chatOfNpi } from './chat-front.ts';
import { insertVisitor } from './sql.ts';
import { cleanName } from './visitor-name.ts';

/** A waiting room's phones share one network. */
const perNetwork = { name: 'chat-starts', points: 20, seconds: 3600 };
/** What the networks of one IPv6 /48 may start, times what one of them may. */
const networksPerSite = 4;
/** Everybody's new conversations with one office together: a hundred networks use it up (decision 0066). Nobody sees one without a message. */
const perOffice = { name: 'chat-starts-office', points: 2_000, seconds: 3600 };

/** Opens a conversation for a visitor who agreed to it, and returns its token. */
export async function startChat(
  ctx: AnyoneCtx,
  npi: string,
  { name: given = '', language }: { name?: string | undefined; language: Language },
): Promise<{ token: string; chat: VisitorChat }> {
  const scope = await chatOfNpi(ctx, npi);
  const { officeId } = scope;
  // In sequence: a network that is refused must take nothing from the office's limit.
  await ctx.limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address), { officeId, networksPerSite });
  await ctx.limits.take(perOffice, officeId);

  return scope.transaction(async (tx) => {
    const name = cleanName(given);
    const { token } = await openChat(tx, scope, { name, language });
    const office = await chatFrontOf(tx, scope);
    return { token, chat: { office, name, phoneEnding: null, textsBlocked: false, messages: [], more: false } };
  });
}

/** Adds a visitor with a conversation of their own; the token is stored as a hash only. */
export async function openChat(
  tx: Tx,
  scope: OfficeScope,
  { name, language }: { name: string; language: Language },
): Promise<{ token: string; conversationId: string }> {
  const { officeId } = scope;
  const token = randomBytes(32).toString('base64url');
  const tokenHash = hashToken(token);
  const now = scope.now();
  const expiresAt = visitorTokenEnd(now);
  const conversationId = await openVisitorConversation(scope, { channel: 'web', name });
  const times = { consentedAt: now, seenAt: now, expiresAt };
  await insertVisitor(tx, { officeId, id: scope.id(), conversationId, tokenHash, language, ...times });
  await addToDirectory(tx, { officeId, kind: 'visitor', key: tokenHash, expiresAt });
  await writeAuditEntry(tx, scope, { action: 'chat.start', subject: conversationId });
  return { token, conversationId };
}
