import {
  isAppointmentInRange,
  isInRange,
  looksLikeUsNumber,
  type DeliveryOption,
  type RowStatus,
  type SentSms,
  type Sms,
  type SmsPreview,
} from '#contract/sms.ts';
import type { OfficeCtx } from '#server/context.ts';
import { admitTexts, quietHoursOf, requireTextNumber } from '#server/features/texting/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { isTextable } from '#server/kit/phone.ts';
import { messageSettingsOf, officeRow, productSmsText, type OfficeRow } from '#server/office-row.ts';
import { spreadTexts, textsPerMinute } from './spread-texts.ts';
import { textedAppointments } from './appointment-texts.ts';
import { blockedAmong, countTexted, insertTexts, lockSends, textsByMinute } from './sql.ts';

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
    const bad = plan.rows.flatMap(({ status }, row) => (status.startsWith('bad-') ? [{ row, problem: status }] : []));
    if (bad.length > 0) throw new Refusal('invalid_delivery_options', { rows: bad.slice(0, namedRows) });
    const { duplicates, alreadyTexted, optedOut, landlines } = counts(plan);
    if (plan.people.length === 0) {
      if (alreadyTexted > 0) throw new Refusal('already_texted');
      throw new Refusal(optedOut > 0 ? 'number_opted_out' : 'number_is_landline');
    }

    const limited = await admitTexts(tx, ctx, office, {
      phones: plan.people.map(({ phone }) => phone),
      hasty: plan.people.filter(({ isHasty }) => isHasty).length,
      ownWords: body !== productSmsText(office, ctx.env.publicUrl),
    });
    const people = plan.people.filter(({ phone }) => !limited.has(phone));
    if (people.length === 0) throw new Refusal('too_many_texts_to_number');
    const texts = people.map((person) => ({ id: ctx.id(), ...person }));
    await insertTexts(tx, ctx.officeId, {
      from: requireTextNumber(office),
      body,
      at: ctx.now(),
      by: ctx.caller.personName,
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
    return {
      accepted: texts.length,
      duplicates,
      alreadyTexted,
      optedOut,
      landlines,
      limited: limited.size,
      ...firstAndLast(people),
      textIds: texts.slice(0, followed).map(({ id }) => id),
    };
  });
}

/** What sending would do. */
export async function previewSms(ctx: OfficeCtx, sms: Sms): Promise<SmsPreview> {
  return ctx.transaction(async (tx) => {
    const office = await officeRow(tx, ctx.officeId);
    const plan = await planSends(tx, ctx, office, sms.deliveryOptions);
    const endOfQuiet = quietHoursOf(office);
    const textedBefore = await countTexted(tx, ctx.officeId, {
      body: sms.message.trim(),
      phones: plan.people.map(({ phone }) => phone),
      since: new Date(ctx.now().getTime() - dayMs),
    });
    // It tells which of the numbers opted out.
    await writeAuditEntry(tx, ctx, {
      action: 'text.read',
      subject: 'preview',
      details: { people: plan.people.length },
    });
    return {
      rows: plan.rows.map(({ status, sendAt }) => ({ status, sendAt: isoOrNull(sendAt) })),
      people: plan.people.length,
      ...counts(plan),
      atNight: plan.people.filter(({ sendAt, phone }) => endOfQuiet(Math.floor(sendAt / 60_000), phone) !== null)
        .length,
      textedBefore,
      ...firstAndLast(plan.people),
      perMinute: textsPerMinute(office),
      leadMinutes: messageSettingsOf(office).appointmentLeadMinutes,
    };
  });
}

interface PlannedRow {
  status: RowStatus;
  phone: string;
  /** When its text goes out, ms since 1970; null without a text. */
  sendAt: number | null;
}

interface PlannedText {
  phone: string;
  sendAt: number;
  appointmentAt: number | null;
  /** It would come after its appointment if it waited its turn, so it goes out although the minute is full. */
  isHasty: boolean;
}

interface Plan {
  rows: PlannedRow[];
  people: PlannedText[];
}

/** Decides for each row whether its number gets the text, and when. */
async function planSends(tx: Tx, ctx: OfficeCtx, office: OfficeRow, options: DeliveryOption[]): Promise<Plan> {
  const now = ctx.now();
  const phones = options.map(({ phoneNumber }) => phoneNumber);
  const [blocks, taken, hasText] = await Promise.all([
    blockedAmong(tx, ctx.officeId, phones),
    textsByMinute(tx, ctx.officeId, now),
    textedAppointments(tx, office, options),
  ]);
  const seen = new Set<string>();
  const statusOf = (option: DeliveryOption): RowStatus => {
    const { phoneNumber } = option;
    if (!looksLikeUsNumber(phoneNumber) || !isTextable(phoneNumber)) return 'bad-number';
    if (!isTimeInRange(option, now)) return 'bad-time';
    if (seen.has(phoneNumber)) return 'duplicate';
    seen.add(phoneNumber);
    return hasText(option) ? 'already-texted' : (blocks.get(phoneNumber) ?? 'ready');
  };
  const planned = options.map(({ phoneNumber }): PlannedRow => ({ status: 'ready', phone: phoneNumber, sendAt: null }));
  for (const row of inOrder(options)) (planned[row] as PlannedRow).status = statusOf(options[row] as DeliveryOption);
  const ready = planned.flatMap(({ status }, row) => (status === 'ready' ? [options[row] as DeliveryOption] : []));
  const leadMs = messageSettingsOf(office).appointmentLeadMinutes * 60_000;
  const wanted = ready.map((option) => wantedTime(option, { now: now.getTime(), leadMs }));
  const quiet = quietHoursOf(office);
  const times = spreadTexts(wanted, {
    perMinute: textsPerMinute(office),
    taken,
    endOfQuiet: (minute, row) => quiet(minute, ready[row]?.phoneNumber ?? ''),
    holds: !ctx.env.demo,
  });
  const people = ready.map(({ phoneNumber, appointmentAt }, i) => {
    const appointment = appointmentAt === undefined ? null : Date.parse(appointmentAt);
    const [spread, best] = [times[i] as number, wanted[i] as number];
    const isHasty = appointment !== null && spread >= appointment;
    return { phone: phoneNumber, sendAt: isHasty ? best : spread, appointmentAt: appointment, isHasty };
  });
  const remaining = people.values();
  for (const row of planned) if (row.status === 'ready') row.sendAt = remaining.next().value?.sendAt ?? null;
  return { rows: planned, people };
}

function isTimeInRange({ sendAt, appointmentAt }: DeliveryOption, now: Date): boolean {
  if (appointmentAt !== undefined) return isAppointmentInRange(new Date(appointmentAt), now);
  return !sendAt || isInRange(new Date(sendAt), now);
}

/** Somebody with several appointments is texted before the first of them. */
function inOrder(options: readonly DeliveryOption[]): number[] {
  const timeOf = (row: number) => Date.parse(options[row]?.appointmentAt ?? '') || 0;
  return [...options.keys()].sort((a, b) => timeOf(a) - timeOf(b));
}

/** When a text should go out, ms since 1970: at its time, at the lead time before its appointment, or now. */
function wantedTime({ sendAt, appointmentAt }: DeliveryOption, { now, leadMs }: { now: number; leadMs: number }) {
  if (appointmentAt !== undefined) return Math.max(now, Date.parse(appointmentAt) - leadMs);
  return sendAt ? Date.parse(sendAt) : now;
}

function counts({ rows }: Plan) {
  const count = (wanted: RowStatus) => rows.filter(({ status }) => status === wanted).length;
  return {
    duplicates: count('duplicate'),
    alreadyTexted: count('already-texted'),
    badNumbers: count('bad-number') + count('landline'),
    landlines: count('landline'),
    badTimes: count('bad-time'),
    optedOut: count('opted-out'),
  };
}

function firstAndLast(people: Plan['people']) {
  let first: number | null = null;
  let last: number | null = null;
  for (const { sendAt } of people) {
    if (first === null || sendAt < first) first = sendAt;
    if (last === null || sendAt > last) last = sendAt;
  }
  return { firstSendAt: isoOrNull(first), lastSendAt: isoOrNull(last) };
}

const isoOrNull = (at: number | null) => (at === null ? null : new Date(at).toISOString());
