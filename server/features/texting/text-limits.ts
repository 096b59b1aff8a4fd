import type { TextLimitName } from '#contract/queue.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { limitedTextsPerDay, linkTextLimits, shareOfLists, textLimits } from '#contract/texting.ts';
import type { OfficeScope } from '#server/context.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { takeInTransaction, type Limit } from '#server/kit/http/rate-limits.ts';
import type { OfficeRow } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import type { NewText } from './new-text.ts';
import { isKnownNumber, isProvedNumber } from './text-limit-sql.ts';

/** How often HELP and STOP are answered per number; only a machine writes them more often. */
export const keywordAnswers = { name: 'help-answers', points: 5, seconds: 3600 } as const satisfies Limit;

/** Longer than any of the practice's days, whose date is in the key. */
const unconfirmedPerDay = { name: 'texts-limited-office', points: limitedTextsPerDay, seconds: 2 * 86_400 } as const;

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
  { phones, urgent, ownWords }: { phones: readonly string[]; urgent: number; ownWords: boolean },
): Promise<Set<string>> {
  if (urgent > 0) await admitUrgent(tx, scope, office, urgent);
  if (office.confirmedAt === null) {
    if (ownWords) throw new Refusal('limited_own_words');
    if (phones.length > limitedTextsPerDay) throw new Refusal('limited_texts_per_day');
    for (const phone of phones)
      if (!(await isKnownNumber(tx, office.id, phone))) throw new Refusal('limited_recipient');
    for (const _text of phones) {
      const limit = await unconfirmedDayLimit(tx, scope, office);
      if (limit) throw limit.refusal;
    }
  }
  const { perNumber, perNumberPerDay } = textLimits;
  const shared = (phone: string): [Limit, string][] =>
    office.confirmedAt === null ? sharedBudgets(office, phone) : [[perNumberPerDay, phone]];
  const usedUp = await takeInTransaction(
    tx,
    scope.now(),
    phones.flatMap((phone): [Limit, string][] => [[perNumber, `${office.id} ${phone}`], ...shared(phone)]),
  );
  const limited = new Set<string>();
  const today = dayOf(scope.now(), office.timeZone);
  for (const { limit, key } of usedUp) {
    const phone = key.slice(-12);
    if (limit.name === perNumber.name || !(await isProvedNumber(tx, office.id, phone, today))) limited.add(phone);
  }
  return limited;
}

/** Throws a refusal if the practice sends too many texts that do not wait for a free minute. */
async function admitUrgent(tx: Tx, scope: OfficeScope, office: OfficeRow, urgent: number): Promise<void> {
  const limit = { ...textLimits.perOfficeUrgent, points: listTextsPerHour(office) };
  const [usedUp] = await takeInTransaction(tx, scope.now(), [[limit, office.id, urgent]]);
  if (usedUp) throw new Refusal('too_many_texts', undefined, usedUp.seconds);
}

async function limitOf(tx: Tx, scope: OfficeScope, office: OfficeRow, text: NewText): Promise<ReachedLimit | null> {
  const isLimited = office.confirmedAt === null;
  if (scope.actor.kind === 'patient') return linkTextLimit(tx, scope, office);
  if (isLimited && text.ownWords) throw new Refusal('limited_own_words');
  if (isLimited && !(await isKnownNumber(tx, office.id, text.toPhone))) throw new Refusal('limited_recipient');
  // The row of the practice's budget stays locked until the commit, so that parallel texts are counted one after the other.
  const [usedUp] = await takeInTransaction(tx, scope.now(), ownBudgets(office, text.toPhone));
  if (usedUp) return reachedLimit(scope, usedUp);
  const [usedUpElsewhere] = await takeInTransaction(tx, scope.now(), sharedBudgets(office, text.toPhone));
  const today = dayOf(scope.now(), office.timeZone);
  if (usedUpElsewhere && !(await isProvedNumber(tx, office.id, text.toPhone, today)))
    return reachedLimit(scope, usedUpElsewhere);
  return isLimited ? unconfirmedDayLimit(tx, scope, office) : null;
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
} as const satisfies Record<string, [TextLimitName, RefusalCode]>;

function reachedLimit({ now }: OfficeScope, { limit, seconds }: { limit: Limit; seconds: number }): ReachedLimit {
  const [name, code] = budgets[limit.name as keyof typeof budgets];
  return { name, refusal: new Refusal(code, undefined, seconds), until: new Date(now().getTime() + seconds * 1000) };
}

/**
 * Anybody can request a visit's link by typing its number, so these texts have budgets apart from the practice's. They count towards the 50
 * texts a day of a practice that is not confirmed, of which they can take only a few.
 */
async function linkTextLimit(tx: Tx, scope: OfficeScope, office: OfficeRow): Promise<ReachedLimit | null> {
  const { perOffice, perLimitedOffice } = linkTextLimits;
  const isLimited = office.confirmedAt === null;
  const limits: [Limit, string][] = [[perOffice, office.id]];
  if (isLimited) limits.push([perLimitedOffice, office.id]);
  const [usedUp] = await takeInTransaction(tx, scope.now(), limits);
  if (usedUp) return reachedLimit(scope, usedUp);
  const ofDay = isLimited ? await unconfirmedDayLimit(tx, scope, office) : null;
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

/** The budgets of a number that the practice shares: with the confirmed practices, or with those that are not confirmed. */
function sharedBudgets(office: OfficeRow, phone: string): [Limit, string][] {
  const { perNumberEverywhere, perNumberPerDay, perNumberOfUnconfirmed, perNumberPerDayOfUnconfirmed } = textLimits;
  const limits =
    office.confirmedAt === null
      ? [perNumberOfUnconfirmed, perNumberPerDayOfUnconfirmed]
      : [perNumberEverywhere, perNumberPerDay];
  return limits.map((limit) => [limit, phone]);
}

/** Counts all texts of an unconfirmed practice on one of its days. */
async function unconfirmedDayLimit(
  tx: Tx,
  scope: OfficeScope,
  { id, timeZone }: OfficeRow,
): Promise<ReachedLimit | null> {
  const today = dayOf(scope.now(), timeZone);
  const [usedUp] = await takeInTransaction(tx, scope.now(), [[unconfirmedPerDay, `${id} ${today}`]]);
  if (!usedUp) return null;
  const untilMidnight = instantOf(today, '24:00', timeZone).getTime() - scope.now().getTime();
  return reachedLimit(scope, { ...usedUp, seconds: Math.ceil(untilMidnight / 1000) });
}
