import type { RowStatus, SentSms, Sms, SmsPreview } from '#contract/sms.ts';
import type { OfficeCtx } from '#server/context.ts';
import { admitText, admitTexts, insertTexts, quietHoursOf, requireTextNumber } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import type { Limit } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { isProductSmsText, messageSettingsOf, officeRow, type OfficeRow } from '#server/office-row.ts';
import { planSends, type PlannedText, type SendPlan } from './plan-sends.ts';
import { minuteOf, textsPerMinute } from './spread-texts.ts';
import { countTexted, lockSends } from './sql.ts';

const dayMs = 86_400_000;
/** A screen follows the first texts of a send, to say whether the carrier took them. */
const followed = 5;
/** Bad rows that a refusal names. */
const namedRows = 100;

/** Texts a message to each person of the list, spread over time. All rows must be right, or nothing is sent. */
export async function sendSms(ctx: OfficeCtx, sms: Sms): Promise<SentSms> {
  const body = sms.message.trim();
  if (body === '') throw new Refusal('empty_message');
  return ctx.transaction(async (tx) => {
    await lockSends(tx, ctx.officeId);
    const office = await officeRow(tx, ctx.officeId);
    const plan = await planSends(tx, ctx, office, sms.deliveryOptions);
    const counted = counts(plan);
    refuseUnsendable(plan, counted);
    const limited = await admitPlan(tx, ctx, office, { body, texts: plan.texts });
    const texts = plan.texts.filter(({ phone }) => !limited.has(phone)).map((text) => ({ id: ctx.id(), ...text }));
    if (texts.length === 0) throw new Refusal('too_many_texts_to_number');
    await insertTexts(tx, ctx.officeId, {
      from: requireTextNumber(office),
      body,
      at: ctx.now(),
      by: ctx.caller.personName,
      sendId: texts.length > 1 ? ctx.id() : null,
      ids: texts.map(({ id }) => id),
      phones: texts.map(({ phone }) => phone),
      sendAt: texts.map(({ sendAt }) => sendAt),
      appointmentAt: texts.map(({ appointmentAt }) => appointmentAt),
    });
    await writeAuditEntry(tx, ctx, {
      action: 'text.send',
      subject: texts.length === 1 ? (texts[0]?.id ?? null) : null,
      details: { people: texts.length },
    });
    await sendHint(tx, { type: 'text' });
    await sendHint(tx, { office: ctx.officeId, type: 'outbox' });
    const { duplicates, alreadyTexted, optedOut, landlines } = counted;
    return {
      accepted: texts.length,
      duplicates,
      alreadyTexted,
      optedOut,
      landlines,
      limited: limited.size,
      ...firstAndLast(texts),
      textIds: texts.slice(0, followed).map(({ id }) => id),
      textRows: texts.slice(0, followed).map(({ row }) => row),
    };
  });
}

/** Refuses a list with a bad row, and one of which nobody would be texted. */
function refuseUnsendable({ rows, texts }: SendPlan, { alreadyTexted, optedOut }: ReturnType<typeof counts>): void {
  const bad = rows.flatMap(({ status }, row) => (status.startsWith('bad-') ? [{ row, problem: status }] : []));
  if (bad.length > 0) throw new Refusal('invalid_delivery_options', { rows: bad.slice(0, namedRows) });
  if (texts.length > 0) return;
  if (alreadyTexted > 0) throw new Refusal('already_texted');
  throw new Refusal(optedOut > 0 ? 'number_opted_out' : 'number_is_landline');
}

/** Refuses what the limits of texts forbid; returns the numbers that have had as many texts as a number may get. */
async function admitPlan(
  tx: Tx,
  ctx: OfficeCtx,
  office: OfficeRow,
  { body, texts }: { body: string; texts: readonly PlannedText[] },
): Promise<Set<string>> {
  const isCustom = !isProductSmsText(office, ctx.env.publicUrl, body);
  const alone = texts.find(({ unpaced }) => unpaced === 'one-person');
  if (alone) {
    // It skips the pace of lists, so it counts like any other text of the desk.
    const text = {
      kind: 'message',
      visitId: null,
      patientId: null,
      toPhone: alone.phone,
      body,
      isCustom,
    } as const;
    await admitText(tx, ctx, office, text);
    return new Set();
  }
  const urgent = texts.filter(({ unpaced }) => unpaced === 'before-appointment').length;
  return admitTexts(tx, ctx, office, { texts, body, urgent, isCustom });
}

/** A desk that corrects a long list looks at it often; each look may plan 10,000 texts. */
const previews = { name: 'sms-previews', points: 120, seconds: 3600 } as const satisfies Limit;

/** What sending would do. */
export async function previewSms(ctx: OfficeCtx, sms: Sms): Promise<SmsPreview> {
  await ctx.limits.take(previews, ctx.officeId);
  return ctx.transaction(async (tx) => {
    const office = await officeRow(tx, ctx.officeId);
    const plan = await planSends(tx, ctx, office, sms.deliveryOptions);
    const endOfQuiet = quietHoursOf(office);
    const isQuiet = (at: number, phone: string) => endOfQuiet(minuteOf(at), phone) !== null;
    const textedBefore = await countTexted(tx, ctx.officeId, {
      body: sms.message.trim(),
      phones: plan.texts.map(({ phone }) => phone),
      since: new Date(ctx.now().getTime() - dayMs),
    });
    // It tells which of the numbers opted out.
    await writeAuditEntry(tx, ctx, {
      action: 'text.read',
      subject: 'preview',
      details: { people: plan.texts.length },
    });
    return {
      rows: plan.rows.map(({ status, sendAt }) => ({ status, sendAt: isoOrNull(sendAt) })),
      people: plan.texts.length,
      ...counts(plan),
      atNight: plan.texts.filter(({ wantedAt, phone }) => isQuiet(wantedAt, phone)).length,
      sentAtNight: plan.texts.filter(({ sendAt, phone }) => isQuiet(sendAt, phone)).length,
      textedBefore,
      ...firstAndLast(plan.texts),
      perMinute: textsPerMinute(office),
      leadMinutes: messageSettingsOf(office).appointmentLeadMinutes,
    };
  });
}

function counts({ rows }: SendPlan) {
  const count = (wanted: RowStatus) => rows.filter(({ status }) => status === wanted).length;
  return {
    duplicates: count('duplicate'),
    alreadyTexted: count('already-texted'),
    badNumbers: count('bad-number'),
    landlines: count('landline'),
    badTimes: count('bad-time'),
    optedOut: count('opted-out'),
  };
}

function firstAndLast(texts: readonly Pick<PlannedText, 'sendAt'>[]) {
  let first: number | null = null;
  let last: number | null = null;
  for (const { sendAt } of texts) {
    if (first === null || sendAt < first) first = sendAt;
    if (last === null || sendAt > last) last = sendAt;
  }
  return { firstSendAt: isoOrNull(first), lastSendAt: isoOrNull(last) };
}

const isoOrNull = (at: number | null) => (at === null ? null : new Date(at).toISOString());
