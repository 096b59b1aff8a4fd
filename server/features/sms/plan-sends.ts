import {
  isAppointmentInRange,
  isInRange,
  looksLikeUsNumber,
  type DeliveryOption,
  type RowStatus,
} from '#contract/sms.ts';
import type { OfficeCtx } from '#server/context.ts';
import { quietHoursOf, textBlocksOf } from '#server/features/texting/index.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { isTextable } from '#server/kit/phone.ts';
import { messageSettingsOf, type OfficeRow } from '#server/office-row.ts';
import { textedAppointments } from './appointment-texts.ts';
import { minuteOf, spreadTexts, textsPerMinute, tooLateFor } from './spread-texts.ts';
import { textsByMinute } from './sql.ts';

/** The text that a row gets. Times are in ms since 1970. */
export interface PlannedText {
  /** The index of its row in the list. */
  row: number;
  phone: string;
  wantedAt: number;
  sendAt: number;
  appointmentAt: number | null;
  /** Why it goes out although its minute is full: otherwise it would come after its appointment, or it is for one person, who is texted now. */
  unpaced: 'before-appointment' | 'one-person' | null;
}

export interface PlannedRow {
  status: RowStatus;
  /** Null without a text. */
  sendAt: number | null;
}

export interface SendPlan {
  rows: PlannedRow[];
  texts: PlannedText[];
}

/** Decides for each row whether its number gets the text, and when. */
export async function planSends(
  tx: Tx,
  ctx: OfficeCtx,
  office: OfficeRow,
  options: readonly DeliveryOption[],
): Promise<SendPlan> {
  const now = ctx.now();
  const [judge, taken] = await Promise.all([judgeRows(tx, ctx, office, options), textsByMinute(tx, ctx.officeId, now)]);
  const leadMs = messageSettingsOf(office).appointmentLeadMinutes * 60_000;
  const rows = options.map((option, row) => {
    const planned: PlannedRow = { status: 'ready', sendAt: null };
    return { row, option, planned };
  });
  for (const { option, planned } of byAppointment(rows)) planned.status = judge(option);
  const wanted = rows
    .filter(({ planned }) => planned.status === 'ready')
    .map(({ row, option, planned }) => ({
      row,
      planned,
      phone: option.phoneNumber,
      wantedAt: wantedTime(option, { now: now.getTime(), leadMs }),
      appointmentAt: option.appointmentAt === undefined ? null : Date.parse(option.appointmentAt),
    }));

  const endOfQuiet = quietHoursOf(office);
  const holds = !ctx.env.demo;
  const isForOneNow = ({ phone, wantedAt, appointmentAt }: (typeof wanted)[number]) =>
    wanted.length === 1 &&
    appointmentAt === null &&
    wantedAt <= now.getTime() &&
    !(holds && endOfQuiet(minuteOf(wantedAt), phone) !== null);
  const texts = spreadTexts(wanted, { perMinute: textsPerMinute(office), taken, endOfQuiet, holds }).flatMap((text) => {
    const { row, phone, wantedAt, appointmentAt, planned } = text;
    const isTooLate = appointmentAt !== null && text.sendAt >= appointmentAt;
    const unpaced = isTooLate
      ? 'before-appointment'
      : text.sendAt > wantedAt && isForOneNow(text)
        ? 'one-person'
        : null;
    if (!unpaced && text.sendAt >= tooLateFor(wantedAt)) {
      planned.status = 'bad-time';
      return [];
    }
    planned.sendAt = unpaced ? wantedAt : text.sendAt;
    return [{ row, phone, wantedAt, sendAt: planned.sendAt, appointmentAt, unpaced } as const];
  });
  return { rows: rows.map(({ planned }) => planned), texts };
}

/** Returns a function that judges the rows one after the other: the first row of a number gets the text. */
async function judgeRows(
  tx: Tx,
  ctx: OfficeCtx,
  office: OfficeRow,
  options: readonly DeliveryOption[],
): Promise<(option: DeliveryOption) => RowStatus> {
  const phones = options.map(({ phoneNumber }) => phoneNumber);
  const [blocks, hasText] = await Promise.all([
    textBlocksOf(tx, ctx.officeId, phones),
    textedAppointments(tx, office, options),
  ]);
  const seen = new Set<string>();
  return (option) => {
    const { phoneNumber } = option;
    if (!looksLikeUsNumber(phoneNumber) || !isTextable(phoneNumber)) return 'bad-number';
    if (!isTimeInRange(option, ctx.now())) return 'bad-time';
    if (seen.has(phoneNumber)) return 'duplicate';
    seen.add(phoneNumber);
    return hasText(option) ? 'already-texted' : (blocks.get(phoneNumber) ?? 'ready');
  };
}

function isTimeInRange({ sendAt, appointmentAt }: DeliveryOption, now: Date): boolean {
  if (appointmentAt !== undefined) return isAppointmentInRange(new Date(appointmentAt), now);
  return !sendAt || isInRange(new Date(sendAt), now);
}

/** Somebody with several appointments is texted before the first of them. */
function byAppointment<Row extends { option: DeliveryOption }>(rows: readonly Row[]): Row[] {
  const timeOf = ({ option }: Row) => Date.parse(option.appointmentAt ?? '') || 0;
  return rows.toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** When a text should go out, ms since 1970: at its time, at the lead time before its appointment, or now. */
function wantedTime({ sendAt, appointmentAt }: DeliveryOption, { now, leadMs }: { now: number; leadMs: number }) {
  if (appointmentAt !== undefined) return Math.max(now, Date.parse(appointmentAt) - leadMs);
  return sendAt ? Date.parse(sendAt) : now;
}
