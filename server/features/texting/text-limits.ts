import type { TextLimitName } from '#contract/queue.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { sizeOfText } from '#contract/text-segments.ts';
import { limitedTextsPerDay, linkTextLimits, shareOfLists, textLimits } from '#contract/texting.ts';
import type { OfficeScope } from '#server/context.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { budgetOfDay, crossesWarning, takeDailyBudget } from '#server/kit/http/daily-budgets.ts';
import { unconfirmedTexts } from '#server/shared-budgets.ts';
import { takeInTransaction, type Limit } from '#server/kit/http/rate-limits.ts';
import type { OfficeRow } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { fillLink } from './link-in-text.ts';
import type { NewText } from './new-text.ts';
import { budgetsOfNumber, listBudgets, movedBudgets, type TextBudget } from './text-budgets.ts';
import { isKnownNumber, isProvedNumber } from './text-limit-sql.ts';

/** How often HELP and STOP are answered per number; only a machine writes them more often. */
export const keywordAnswers = { name: 'help-answers', points: 5, seconds: 3600 } as const satisfies Limit;

/** Longer than a text may be scheduled ahead; the date of the practice's day is in the key. */
const unconfirmedPerDay = { name: 'texts-limited-office', points: limitedTextsPerDay, seconds: 9 * 86_400 } as const;

/**
 * What one such practice may take of the segments of all of them in a day (UTC), whenever its texts leave: 50 texts of three segments, as
 * long as those in Spanish are. Else a few practices could use up everybody's with long texts, and with texts that they cancel.
 */
const unconfirmedSegments = { name: 'segments-limited-office', points: limitedTextsPerDay * 3 } as const;

/** The limit that a text would exceed. */
interface ReachedLimit {
  name: TextLimitName;
  refusal: Refusal;
  /** When it allows the next text. */
  until: Date;
}

/**
 * Decides whether a text may be sent, in the transaction that writes it. Throws a refusal, so that nothing else is written either.
 * The text of an invitation beyond a limit is held and shown instead, because the patient can be called in without it (and because
 * nobody would read a refusal of the timer's invitation); so is that of a requested payment, which the patient's page shows anyway. Then the
 * limit is the answer.
 */
export async function admitText(
  tx: Tx,
  scope: OfficeScope,
  office: OfficeRow,
  text: NewText,
): Promise<ReachedLimit | null> {
  const limit = await limitOf(tx, scope, office, text);
  const isHeld = text.kind === 'invite' || text.kind === 'reinvite' || text.heldAtLimit === true;
  if (limit && !isHeld) throw limit.refusal;
  return limit;
}

/**
 * Decides about one message to many numbers, in the transaction that writes the texts. Throws a refusal if the practice may not send it at
 * all; returns the numbers that have had as many texts as a number may get.
 *
 * These texts do not count towards the practice's texts per hour: they go out at a pace of their own (`listTextsPerHour`), and the `urgent`
 * ones, which do not wait for a free minute, have a limit of the same size. Of the limits of a number across confirmed practices only the
 * one per day counts here, because counting a limit takes about as long as writing the texts (decision 0045).
 */
export async function admitTexts(
  tx: Tx,
  scope: OfficeScope,
  office: OfficeRow,
  { texts, body, urgent, isCustom }: { texts: readonly ListText[]; body: string; urgent: number; isCustom: boolean },
): Promise<Set<string>> {
  if (urgent > 0) await admitUrgent(tx, scope, office, urgent);
  if (office.confirmedAt === null) {
    if (isCustom) throw new Refusal('limited_own_words');
    if (texts.length > limitedTextsPerDay) throw new Refusal('limited_texts_per_day');
    for (const { phone } of texts)
      if (!(await isKnownNumber(tx, office.id, phone))) throw new Refusal('limited_recipient');
  }
  const now = scope.now();
  const budgets = texts.flatMap(({ phone, sendAt }) => listBudgets(office, { phone, now, sendAt: new Date(sendAt) }));
  const limited = new Set<string>();
  for (const one of await takeOfNumbers(tx, now, budgets)) {
    const phone = phoneIn(one.key);
    if (await isBinding(tx, scope, office, one)) limited.add(phone);
  }
  if (office.confirmedAt !== null) return limited;
  const admitted = texts.filter(({ phone }) => !limited.has(phone));
  if (admitted.length === 0) return limited;
  const days = admitted.map(({ sendAt }) => new Date(sendAt));
  const limit = await unconfirmedLimit(tx, scope, office, days, admitted.length * segmentsOf({ body }));
  if (limit) throw limit.refusal;
  return limited;
}

/**
 * Takes budgets of numbers in the order of all texts: first the practice's own, then those it shares with others, and only after them what
 * practices that are not confirmed may send in a day. In another order, two texts at the same moment could wait for each other for ever.
 */
async function takeOfNumbers(tx: Tx, now: Date, budgets: readonly TextBudget[]) {
  const isOwn = ([{ name }]: TextBudget) => name === textLimits.perNumber.name;
  const own = await takeInTransaction(tx, now, budgets.filter(isOwn));
  return [
    ...own,
    ...(await takeInTransaction(
      tx,
      now,
      budgets.filter((budget) => !isOwn(budget)),
    )),
  ];
}

/** A text of a list, and when it goes out (ms since 1970). */
interface ListText {
  phone: string;
  sendAt: number;
}

/** Throws a refusal if a text of a list may not leave at its new time. Where the time is within the same hour and day, nothing is counted. */
export async function admitNewTime(
  tx: Tx,
  scope: OfficeScope,
  office: OfficeRow,
  { phone, before, sendAt }: { phone: string; before: Date; sendAt: Date },
): Promise<void> {
  const now = scope.now();
  for (const usedUp of await takeOfNumbers(tx, now, movedBudgets(office, { phone, now, before, sendAt })))
    if (await isBinding(tx, scope, office, usedUp)) throw reachedLimit(scope, usedUp).refusal;
  const isSameDay = dayOf(before, office.timeZone) === dayOf(sendAt, office.timeZone);
  const ofDay =
    office.confirmedAt === null && !isSameDay ? await unconfirmedDayLimit(tx, scope, office, [sendAt]) : null;
  if (ofDay) throw ofDay.refusal;
}

/** False for a limit that others use up too, if the number's owner opened a texted link of this practice today. */
async function isBinding(
  tx: Tx,
  scope: OfficeScope,
  office: OfficeRow,
  { limit, key }: { limit: Limit; key: string },
): Promise<boolean> {
  const today = dayOf(scope.now(), office.timeZone);
  return limit.name === textLimits.perNumber.name || !(await isProvedNumber(tx, office.id, phoneIn(key), today));
}

/** The number in the key of a budget. */
const phoneIn = (key: string): string => /\+\d+/.exec(key)?.[0] ?? '';

/** Throws a refusal if the practice sends too many texts that do not wait for a free minute. */
async function admitUrgent(tx: Tx, scope: OfficeScope, office: OfficeRow, urgent: number): Promise<void> {
  const limit = { ...textLimits.perOfficeUrgent, points: listTextsPerHour(office) };
  const [usedUp] = await takeInTransaction(tx, scope.now(), [[limit, office.id, urgent]]);
  if (usedUp) throw new Refusal('too_many_texts', undefined, usedUp.seconds);
}

async function limitOf(tx: Tx, scope: OfficeScope, office: OfficeRow, text: NewText): Promise<ReachedLimit | null> {
  const isLimited = office.confirmedAt === null;
  if (scope.actor.kind === 'patient') return linkTextLimit(tx, scope, office, segmentsOf(text));
  if (isLimited && text.isCustom) throw new Refusal('limited_own_words');
  if (isLimited && !(await isKnownNumber(tx, office.id, text.toPhone))) throw new Refusal('limited_recipient');
  // The row of the practice's budget stays locked until the commit, so that parallel texts are counted one after the other.
  const [usedUp] = await takeInTransaction(tx, scope.now(), ownBudgets(office, text.toPhone));
  if (usedUp) return reachedLimit(scope, usedUp);
  const leaving = { phone: text.toPhone, now: scope.now(), sendAt: text.sendAt ?? scope.now() };
  const [usedUpElsewhere] = await takeInTransaction(tx, scope.now(), budgetsOfNumber(office, leaving));
  const today = dayOf(scope.now(), office.timeZone);
  if (usedUpElsewhere && !(await isProvedNumber(tx, office.id, text.toPhone, today)))
    return reachedLimit(scope, usedUpElsewhere);
  if (!isLimited) return null;
  return unconfirmedLimit(tx, scope, office, [leaving.sendAt], segmentsOf(text));
}

const segmentsOf = ({ body, link }: Pick<NewText, 'body' | 'link'>): number =>
  sizeOfText(link === undefined ? body : fillLink(body, link)).segments;

/** Counts the segments of practices that are not confirmed, all of them together: anybody can register as many as they like. */
async function unconfirmedSegmentsLimit(
  tx: Tx,
  scope: OfficeScope,
  officeId: string,
  points: number,
): Promise<ReachedLimit | null> {
  const budget = unconfirmedTexts(scope.env);
  const { used, seconds } = await takeDailyBudget(tx, scope.now(), budget, { officeId, points });
  if (crossesWarning(budget, used, points))
    scope.log.warn(
      { used, of: budget.points },
      'texts of practices that are not confirmed: most of the day’s segments are used',
    );
  if (seconds === null) return null;
  return {
    name: 'unconfirmed-all',
    refusal: new Refusal('limited_texts_everywhere', undefined, seconds),
    until: new Date(scope.now().getTime() + seconds * 1000),
  };
}

/** Each budget of a text: its name on screen, and its refusal. */
const budgets = {
  [textLimits.perOffice.name]: ['practice-hour', 'too_many_texts'],
  [textLimits.perNumber.name]: ['number-hour', 'too_many_texts_to_number'],
  [textLimits.perNumberEverywhere.name]: ['number-hour', 'too_many_texts_to_number'],
  [textLimits.perNumberPerDay.name]: ['number-day', 'too_many_texts_to_number'],
  [textLimits.perNumberOfUnconfirmed.name]: ['number-hour', 'too_many_texts_to_number'],
  [textLimits.perNumberPerDayOfUnconfirmed.name]: ['number-day', 'too_many_texts_to_number'],
  [linkTextLimits.perOffice.name]: ['practice-hour', 'too_many_link_texts'],
  [linkTextLimits.perLimitedOffice.name]: ['unconfirmed-day', 'too_many_link_texts'],
  [unconfirmedPerDay.name]: ['unconfirmed-day', 'limited_texts_per_day'],
  [unconfirmedSegments.name]: ['unconfirmed-day', 'limited_texts_per_day'],
} as const satisfies Record<string, [TextLimitName, RefusalCode]>;

function reachedLimit({ now }: OfficeScope, { limit, seconds }: { limit: Limit; seconds: number }): ReachedLimit {
  const [name, code] = budgets[limit.name as keyof typeof budgets];
  return { name, refusal: new Refusal(code, undefined, seconds), until: new Date(now().getTime() + seconds * 1000) };
}

/**
 * Anybody can request a visit's link by typing its number, so these texts have budgets apart from the practice's. They count towards the 50
 * texts a day of a practice that is not confirmed, of which they can take only a few.
 */
async function linkTextLimit(
  tx: Tx,
  scope: OfficeScope,
  office: OfficeRow,
  segments: number,
): Promise<ReachedLimit | null> {
  const { perOffice, perLimitedOffice } = linkTextLimits;
  const isLimited = office.confirmedAt === null;
  const limits: [Limit, string][] = [[perOffice, office.id]];
  if (isLimited) limits.push([perLimitedOffice, office.id]);
  const [usedUp] = await takeInTransaction(tx, scope.now(), limits);
  if (usedUp) return reachedLimit(scope, usedUp);
  if (!isLimited) return null;
  const ofDay = await unconfirmedLimit(tx, scope, office, [scope.now()], segments);
  return ofDay && { ...ofDay, refusal: new Refusal('too_many_link_texts', undefined, ofDay.refusal.retryAfterSeconds) };
}

/** The operator can raise it for a practice. */
function textsPerHour({ settings }: Pick<OfficeRow, 'settings'>): number {
  const raised = settings.textsPerHour;
  return typeof raised === 'number' && raised > 0 ? raised : textLimits.perOffice.points;
}

/** How many texts a practice's lists may send in an hour. */
export const listTextsPerHour = (office: Pick<OfficeRow, 'settings'>): number =>
  Math.floor(textsPerHour(office) * shareOfLists);

function ownBudgets(office: OfficeRow, phone: string): [Limit, string][] {
  const { perOffice, perNumber } = textLimits;
  return [
    [{ ...perOffice, points: textsPerHour(office) }, office.id],
    [perNumber, `${office.id} ${phone}`],
  ];
}

/** What a practice that is not confirmed may send, by the times at which its texts leave, and their segments; taken last of all limits. */
async function unconfirmedLimit(
  tx: Tx,
  scope: OfficeScope,
  office: OfficeRow,
  times: readonly Date[],
  segments: number,
): Promise<ReachedLimit | null> {
  const ofDay = await unconfirmedDayLimit(tx, scope, office, times);
  if (ofDay) return ofDay;
  const [limit, day] = budgetOfDay(unconfirmedSegments, scope.now());
  const [usedUp] = await takeInTransaction(tx, scope.now(), [[limit, `${office.id} ${day}`, segments]]);
  if (usedUp) return reachedLimit(scope, usedUp);
  return unconfirmedSegmentsLimit(tx, scope, office.id, segments);
}

/** Counts all texts of an unconfirmed practice on its days: today, and the day on which each goes out. */
async function unconfirmedDayLimit(
  tx: Tx,
  scope: OfficeScope,
  { id, timeZone }: OfficeRow,
  times: readonly Date[],
): Promise<ReachedLimit | null> {
  const today = dayOf(scope.now(), timeZone);
  const texts = new Map([[today, times.length]]);
  for (const day of times.map((time) => dayOf(time, timeZone)))
    if (day !== today) texts.set(day, (texts.get(day) ?? 0) + 1);
  const [usedUp] = await takeInTransaction(
    tx,
    scope.now(),
    [...texts].map(([day, points]): [Limit, string, number] => [unconfirmedPerDay, `${id} ${day}`, points]),
  );
  if (!usedUp) return null;
  const untilMidnight = instantOf(usedUp.key.slice(id.length + 1), '24:00', timeZone).getTime() - scope.now().getTime();
  return reachedLimit(scope, { ...usedUp, seconds: Math.ceil(untilMidnight / 1000) });
}
