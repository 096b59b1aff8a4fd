import { codeLifeSeconds, resendAfterSeconds, triesPerCode } from '#contract/sign-in/code.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { sizeOfText } from '#contract/text-segments.ts';
import type { Language } from '#contract/shapes.ts';
import type { VisitorCtx } from '#server/context.ts';
import { noteOtherNumber, renameVisitor } from '#server/features/conversations/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { keyedHash, newCode, sameBytes } from '#server/kit/crypto/secret.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { networkOfAddress } from '#server/kit/http/client-network.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { describeError } from '#server/kit/log.ts';
import { usPhone } from '#server/kit/phone.ts';
import { officeRow } from '#server/office-row.ts';
import { SmsRefused } from '#server/providers/sms/port.ts';
import { orGiveBack, takeDailyCodes } from '#server/shared-budgets.ts';
import { requireChat } from './chat-front.ts';
import { lockVisitor, setVisitor, visitorFacts, visitorLanguage } from './sql.ts';

/** A stranger can make any phone ring with these codes: limits by visitor, network and phone, then by office and for all offices together. */
const pause = { name: 'chat-code-pause', points: 1, seconds: resendAfterSeconds };
const perVisitor = { name: 'chat-code-visitor', points: 5, seconds: 3_600 };
const perPhone = { name: 'chat-code-phone', points: 5, seconds: 86_400 };
const perNetwork = { name: 'chat-code-network', points: 10, seconds: 3_600 };
/** What the networks of one IPv6 /48, which one customer can have, may ask for, times what one of them may. */
const networksPerSite = 2;
const perOffice = { name: 'chat-code-office', points: 60, seconds: 3_600 };
const perOfficeDay = { name: 'chat-code-office-day', points: 300, seconds: 86_400 };
const everybody = { name: 'chat-code-all', points: 300, seconds: 600 };
const carrierMs = 10_000;

/** Texts a code to a number that the visitor says is theirs. Only the newest code counts. */
export async function sendVisitorCode(
  ctx: VisitorCtx,
  spelled: string,
): Promise<{ expiresAt: string; resendAfterSeconds: number }> {
  const phone = usPhone(spelled);
  if (!phone) throw new Refusal('invalid_phone');
  const { name, language } = await ctx.transaction(async (tx) => {
    await requireChat(tx, ctx.officeId);
    const { name } = await officeRow(tx, ctx.officeId);
    return { name, language: await visitorLanguage(tx, ctx.officeId, ctx.visitorId) };
  });
  const giveBack = await takeCodeBudget(ctx, phone);
  const code = newCode();
  const codeText = chatCodeText(name, code, language);
  // Before the new code replaces the one that the visitor may have already.
  const takeOfDay = () => takeDailyCodes(ctx, 'chat', sizeOfText(codeText).segments);
  const giveBackOfDay = await orGiveBack(takeOfDay, giveBack);
  const codeExpiresAt = new Date(ctx.now().getTime() + codeLifeSeconds * 1000);
  await orGiveBack(async () => {
    await ctx.transaction(async (tx) => {
      const codeHash = hashOf(ctx, phone, code);
      await lockVisitor(tx, ctx.officeId, ctx.visitorId);
      await setVisitor(tx, ctx.officeId, ctx.visitorId, { codePhone: phone, codeHash, codeExpiresAt, codeTries: 0 });
      await writeAuditEntry(tx, ctx, { action: 'chat.code', subject: ctx.conversationId });
    });
    await deliver(ctx, phone, codeText);
  }, giveBackOfDay);
  return { expiresAt: codeExpiresAt.toISOString(), resendAfterSeconds };
}

/**
 * In sequence, so that a visitor who is refused uses up nobody else's limit. Returns how to give back all of it but the network's and the
 * pause.
 */
async function takeCodeBudget(ctx: VisitorCtx, phone: string): Promise<() => Promise<void>> {
  const { limits, officeId, visitorId } = ctx;
  const visitor = `${officeId} ${visitorId}`;
  const rest = [
    [perPhone, phone],
    [perOffice, officeId],
    [perOfficeDay, officeId],
    [everybody, 'all'],
  ] as const;
  await limits.take(pause, visitor);
  await limits.take(perVisitor, visitor);
  await limits.takeForNetwork(perNetwork, networkOfAddress(ctx.http.address), { networksPerSite });
  for (const [limit, key] of rest) await limits.take(limit, key);
  return async () => {
    for (const [limit, key] of [[perVisitor, visitor] as const, ...rest]) await limits.giveBack(limit, key);
  };
}

/** Unlike the text of a sign-in code: a page that says it is a chat must not get a person's code for the panel. */
function chatCodeText(office: string, code: string, language: Language): string {
  const minutes = codeLifeSeconds / 60;
  return language === 'es'
    ? `${code} confirma su número en el chat con ${office}. Es válido por ${minutes} minutos.`
    : `${code} is your code for the chat with ${office}. It is valid for ${minutes} minutes.`;
}

async function deliver(ctx: VisitorCtx, to: string, body: string): Promise<void> {
  try {
    const text = { from: ctx.env.codeNumber, to, body, reference: ctx.id() };
    await ctx.providers.sms.send(text, AbortSignal.timeout(carrierMs));
  } catch (error) {
    ctx.log.warn({ office: ctx.officeId, err: describeError(error as Error) }, 'chat code may not have been sent');
    if (error instanceof SmsRefused) throw new Refusal('code_not_sent', undefined, resendAfterSeconds);
  }
}

/** Proves the visitor's number with the code. A wrong try is committed before it is refused, so that it counts. */
export async function verifyVisitorPhone(ctx: VisitorCtx, typed: string): Promise<{ phoneEnding: string }> {
  const { phone, refusal } = await ctx.transaction(async (tx) => {
    await requireChat(tx, ctx.officeId);
    return tryCode(tx, ctx, typed);
  });
  if (refusal) throw new Refusal(refusal);
  return { phoneEnding: phone.slice(-2) };
}

interface Outcome {
  phone: string;
  refusal?: RefusalCode;
}

async function tryCode(tx: Tx, ctx: VisitorCtx, typed: string): Promise<Outcome> {
  const { officeId, visitorId, conversationId } = ctx;
  const visitor = await lockVisitor(tx, officeId, visitorId);
  const { codeHash, codePhone: phone, codeExpiresAt, codeTries } = visitor;
  if (!codeHash || phone === null || codeExpiresAt === null) return { phone: '', refusal: 'wrong_code' };
  if (codeExpiresAt <= ctx.now()) return { phone, refusal: 'code_expired' };
  if (codeTries >= triesPerCode) return { phone, refusal: 'code_used_up' };
  if (!sameBytes(codeHash, hashOf(ctx, phone, typed))) {
    await setVisitor(tx, officeId, visitorId, { codeTries: codeTries + 1 });
    return { phone, refusal: 'wrong_code' };
  }
  await setVisitor(tx, officeId, visitorId, { phone, codePhone: null, codeHash: null, codeExpiresAt: null });
  const { name } = await visitorFacts(tx, officeId, visitorId);
  await renameVisitor(tx, ctx, { conversationId, name: name ?? '', phone });
  await writeAuditEntry(tx, ctx, { action: 'chat.verify', subject: conversationId });
  if (visitor.phone !== null && visitor.phone !== phone)
    await noteOtherNumber(tx, ctx, { conversationId, phone, language: visitor.language });
  return { phone };
}

const hashOf = ({ env, officeId, visitorId }: VisitorCtx, phone: string, code: string): Buffer =>
  keyedHash(env.secrets.session, 'visitor', officeId, visitorId, phone, code);
