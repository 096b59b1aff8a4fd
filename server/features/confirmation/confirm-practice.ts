import type { Confirmation } from '#contract/confirmation.ts';
import { codeLifeSeconds, resendAfterSeconds, triesPerCode } from '#contract/sign-in/code.ts';
import { limitedTextsPerDay } from '#contract/texting.ts';
import { sizeOfText } from '#contract/text-segments.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import type { OfficeCtx, OfficeScope } from '#server/context.ts';
import { listedPhone } from '#server/features/addresses/index.ts';
import { todayOf } from '#server/features/queue/index.ts';
import { codeText } from '#server/features/sign-in/index.ts';
import { holdOwnWords } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { describeError } from '#server/kit/log.ts';
import { officeRow, type OfficeRow } from '#server/office-row.ts';
import { usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { keyedHash, newCode, sameBytes } from '#server/kit/crypto/secret.ts';
import { SmsRefused } from '#server/providers/sms/port.ts';
import { orGiveBack, takeDailyCodes } from '#server/shared-budgets.ts';
import { bumpQueue } from '#server/queue-version.ts';
import { lockConfirmation, setConfirmation, setConfirmed, setLimited } from './sql.ts';

/**
 * A stranger can make a practice's phone ring with these codes, so they are limited per practice (hourly) and per phone (daily, across all
 * practices).
 */
const pause = { name: 'confirmation-pause', points: 1, seconds: resendAfterSeconds };
const perOffice = { name: 'confirmation-office', points: 5, seconds: 3_600 };
const perPhone = { name: 'confirmation-phone', points: 10, seconds: 86_400 };
const carrierMs = 10_000;

/** Whether the practice is confirmed, and which phone can receive a code. */
export async function readConfirmation(ctx: OfficeScope): Promise<Confirmation> {
  const office = await ctx.transaction((tx) => officeRow(tx, ctx.officeId));
  const confirmed = office.confirmedAt !== null;
  const phone = confirmed ? null : await phoneOf(ctx, office);
  return {
    confirmed,
    phoneEnding: phone?.slice(-2) ?? null,
    textsPerDay: limitedTextsPerDay,
    hasTextNumber: office.textNumber !== null,
  };
}

/** Texts a code to the listed phone: whoever can read it works where NPPES says the practice is. */
export async function sendConfirmationCode(ctx: OfficeCtx): Promise<{ expiresAt: string; resendAfterSeconds: number }> {
  const office = await ctx.transaction((tx) => officeRow(tx, ctx.officeId));
  if (office.confirmedAt !== null) throw new Refusal('already_confirmed');
  const phone = await phoneOf(ctx, office);
  if (!phone) throw new Refusal('no_listed_phone');
  // In sequence, so that a refused practice does not use up the phone's limit.
  await ctx.limits.take(pause, office.id);
  await ctx.limits.take(perOffice, office.id);
  await ctx.limits.take(perPhone, phone);

  const code = newCode();
  const body = codeText(ctx.env.productName, code, ctx.language);
  const giveBackOfDay = await orGiveBack(
    () => takeDailyCodes(ctx, 'confirmation', sizeOfText(body).segments),
    async () => {
      await ctx.limits.giveBack(perOffice, office.id);
      await ctx.limits.giveBack(perPhone, phone);
    },
  );
  const codeSentAt = ctx.now();
  const codeExpiresAt = new Date(codeSentAt.getTime() + codeLifeSeconds * 1000);
  await orGiveBack(async () => {
    await ctx.transaction(async (tx) => {
      await lockConfirmation(tx, office.id);
      const codeHash = hashOf(ctx, phone, code);
      await setConfirmation(tx, office.id, { codePhone: phone, codeHash, codeSentAt, codeExpiresAt, codeTries: 0 });
      await writeAuditEntry(tx, ctx, { action: 'office.confirmation-code', subject: 'office' });
    });
    await deliver(ctx, phone, body);
  }, giveBackOfDay);
  return { expiresAt: codeExpiresAt.toISOString(), resendAfterSeconds };
}

async function deliver(ctx: OfficeCtx, to: string, body: string): Promise<void> {
  try {
    const text = { from: ctx.env.codeNumber, to, body, reference: ctx.id() };
    await ctx.providers.sms.send(text, AbortSignal.timeout(carrierMs));
  } catch (error) {
    ctx.log.warn(
      { office: ctx.officeId, err: describeError(error as Error) },
      'confirmation code may not have been sent',
    );
    if (!(error instanceof SmsRefused)) return;
    throw error.errorClass === 'bad-number' || error.errorClass === 'landline'
      ? new Refusal('listed_phone_refused')
      : new Refusal('code_not_sent', undefined, resendAfterSeconds);
  }
}

/** Confirms the practice with the code. A wrong try is committed before it is refused, so that it counts. */
export async function confirmByCode(ctx: OfficeCtx, typed: string): Promise<Confirmation> {
  const refused = await ctx.transaction(async (tx): Promise<RefusalCode | null> => {
    const sent = await lockConfirmation(tx, ctx.officeId);
    if (!sent?.codeHash || !sent.codePhone) return 'wrong_code';
    if ((sent.codeExpiresAt as Date) <= ctx.now()) return 'code_expired';
    if (sent.codeTries >= triesPerCode) return 'code_used_up';
    const isRight = sameBytes(sent.codeHash, hashOf(ctx, sent.codePhone, typed.replace(/\D/g, '')));
    if (!isRight) {
      await setConfirmation(tx, ctx.officeId, { codeTries: sent.codeTries + 1 });
      return 'wrong_code';
    }
    await setConfirmation(tx, ctx.officeId, { codeHash: null });
    await confirmOffice(tx, ctx, 'phone');
    return null;
  });
  if (refused) throw new Refusal(refused);
  return readConfirmation(ctx);
}

/** Lifts a practice's limits. Confirming twice, even concurrently, makes one entry in the audit log. */
export async function confirmOffice(tx: Tx, scope: OfficeScope, by: 'operator' | 'phone'): Promise<boolean> {
  const isNew = await setConfirmed(tx, scope.officeId, scope.now(), by);
  if (!isNew) return false;
  await writeAuditEntry(tx, scope, { action: 'office.confirm', subject: 'office', details: { by } });
  await announceLimits(tx, scope);
  return true;
}

/**
 * Limits a confirmed practice again, and holds its texts that wait; returns how many, or null if it is limited already. The operator decided
 * it, so no email tells the operator about it.
 */
export async function limitOffice(tx: Tx, scope: OfficeScope): Promise<number | null> {
  const isNew = await setLimited(tx, { officeId: scope.officeId, id: scope.id(), now: scope.now() });
  if (!isNew) return null;
  const held = await holdOwnWords(tx, scope.officeId);
  await writeAuditEntry(tx, scope, { action: 'office.limit', subject: 'office', details: { held } });
  await announceLimits(tx, scope);
  return held;
}

/** The practice's own forms are asked for or not: cards count anew. */
async function announceLimits(tx: Tx, scope: OfficeScope): Promise<void> {
  await bumpQueue(tx, scope.officeId, await todayOf(tx, scope), 'all');
  for (const type of ['settings', 'checkin', 'outbox', 'messages'])
    await sendHint(tx, { office: scope.officeId, type });
}

/** The phone that NPPES lists for the practice, if it registered with that NPPES entry. */
async function phoneOf(ctx: Pick<OfficeScope, 'db'>, office: OfficeRow): Promise<string | null> {
  if (office.npiProvisional || office.addressId !== office.npi) return null;
  return usPhone((await listedPhone(ctx.db, office.npi)) ?? '');
}

function hashOf({ env, officeId }: OfficeScope, phone: string, code: string): Buffer {
  return keyedHash(env.secrets.session, 'confirm-practice', officeId, phone, code);
}
