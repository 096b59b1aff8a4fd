/**
 * The budgets of texts. Most count when a text is written; those of texts that leave later count in the hour or the day in which they leave, so
 * that texts written on different days cannot reach one number in the same hour (decision 0070).
 */
import { textLimits } from '#contract/texting.ts';
import type { Limit } from '#server/kit/http/rate-limits.ts';
import type { OfficeRow } from '#server/office-row.ts';

export type TextBudget = [limit: Limit, key: string];

/** Whose text it is, and when it is written and leaves. */
interface Leaving {
  phone: string;
  now: Date;
  sendAt: Date;
}

/**
 * The budgets of one text of a list: as many for a confirmed practice as when it leaves now, because counting takes about as long as writing
 * the texts.
 */
export function listBudgets(office: OfficeRow, text: Leaving): TextBudget[] {
  const { perNumber, perNumberPerDay } = textLimits;
  const own = whenItLeaves(perNumber, `${office.id} ${text.phone}`, text);
  return office.confirmedAt === null
    ? [own, ...budgetsOfNumber(office, text)]
    : [own, whenItLeaves(perNumberPerDay, text.phone, text)];
}

/**
 * The budgets of a number that the practice shares: with the confirmed practices, or with those that are not confirmed. Of the latter, texts
 * count both when they are written and when they leave, so that a text sent now and one that was scheduled for now count together.
 */
export function budgetsOfNumber(office: OfficeRow, text: Leaving): TextBudget[] {
  const { perNumberEverywhere, perNumberPerDay, perNumberOfUnconfirmed, perNumberPerDayOfUnconfirmed } = textLimits;
  const { phone } = text;
  if (office.confirmedAt !== null)
    return [
      [perNumberEverywhere, phone],
      [perNumberPerDay, phone],
    ];
  return [perNumberOfUnconfirmed, perNumberPerDayOfUnconfirmed].flatMap((limit): TextBudget[] => [
    [limit, phone],
    inItsWindow(limit, phone, text),
  ]);
}

/** The budgets that a text takes when its time is changed: those of its new time that it has not taken for the old one. */
export function movedBudgets(office: OfficeRow, text: Leaving & { before: Date }): TextBudget[] {
  const countedBefore = new Set(listBudgets(office, { ...text, sendAt: text.before }).map(nameOf));
  return listBudgets(office, text).filter((budget) => !countedBefore.has(nameOf(budget)));
}

const nameOf = ([{ name }, key]: TextBudget) => `${name} ${key}`;

/** A text that leaves within the time of a limit counts with those that are written now. */
function whenItLeaves(limit: Limit, key: string, text: Leaving): TextBudget {
  const isSoon = text.sendAt.getTime() - text.now.getTime() < limit.seconds * 1000;
  return isSoon ? [limit, key] : inItsWindow(limit, key, text);
}

/** The budget of the hour or the day (UTC) in which a text leaves. */
function inItsWindow(limit: Limit, key: string, { now, sendAt }: Leaving): TextBudget {
  const windowMs = limit.seconds * 1000;
  const window = Math.floor(sendAt.getTime() / windowMs);
  const seconds = Math.ceil(((window + 1) * windowMs - now.getTime()) / 1000);
  return [{ ...limit, seconds }, `${key} ${window}`];
}
