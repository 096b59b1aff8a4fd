import { sql } from 'kysely';
import type { RefusalCode } from '#contract/refusals.ts';
import { limitedTextsPerDay, linkTextLimits, textLimits } from '#contract/texting.ts';
import type { OfficeScope } from '#server/context.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { takeIn, type Limit } from '#server/kit/http/rate-limits.ts';
import type { OfficeRow } from '#server/office-row.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import type { NewText } from './new-text.ts';

/** How often HELP is answered per number; only a machine asks more often. */
export const helpAnswers = { name: 'help-answers', points: 5, seconds: 3600 } as const satisfies Limit;

/**
 * Decides whether a text may be sent, in the transaction that writes it. Throws a refusal, so that nothing else is written either.
 * Two kinds are held and shown instead: the timer's texts, because nobody would read a refusal, and an invitation's text beyond a budget,
 * because the patient can be called in without it.
 */
export async function admitText(
  tx: Tx,
  scope: OfficeScope,
  office: OfficeRow,
  text: NewText,
): Promise<'send' | 'hold'> {
  const refusal = await refusalOf(tx, scope, office, text);
  if (!refusal) return 'send';
  if (scope.actor.kind === 'timer') return 'hold';
  if ((text.kind === 'invite' || text.kind === 'reinvite') && refusal.status === 429) return 'hold';
  throw refusal;
}

async function refusalOf(tx: Tx, scope: OfficeScope, office: OfficeRow, text: NewText): Promise<Refusal | null> {
  const isLimited = office.confirmedAt === null;
  if (scope.actor.kind === 'patient') return linkTextRefusal(tx, scope, office);
  if (isLimited && text.ownWords) return new Refusal('limited_own_words');
  if (isLimited && !(await isKnownNumber(tx, office.id, text.toPhone))) return new Refusal('limited_recipient');
  // The row of the practice's budget stays locked until the commit, so that parallel texts are counted one after the other.
  const usedUp = await takeIn(tx, scope.now(), ownBudgets(office, text.toPhone));
  if (usedUp) {
    const code: RefusalCode =
      usedUp.limit.name === textLimits.perOffice.name ? 'too_many_texts' : 'too_many_texts_to_number';
    return new Refusal(code, undefined, usedUp.seconds);
  }
  const { perNumberEverywhere, perNumberPerDay } = textLimits;
  const usedUpElsewhere = await takeIn(tx, scope.now(), [
    [perNumberEverywhere, text.toPhone],
    [perNumberPerDay, text.toPhone],
  ]);
  if (usedUpElsewhere && !(await isProvedHere(tx, scope, office, text.toPhone)))
    return new Refusal('too_many_texts_to_number', undefined, usedUpElsewhere.seconds);
  return isLimited ? limitedDayRefusal(tx, scope, office) : null;
}

/** Anybody can request a visit's link by typing its number, so these texts have budgets apart from the practice's. */
async function linkTextRefusal(tx: Tx, scope: OfficeScope, office: OfficeRow): Promise<Refusal | null> {
  const { perOffice, perLimitedOffice } = linkTextLimits;
  const limits: [Limit, string][] = [[perOffice, office.id]];
  if (office.confirmedAt === null) limits.push([perLimitedOffice, office.id]);
  const usedUp = await takeIn(tx, scope.now(), limits);
  return usedUp && new Refusal('too_many_link_texts', undefined, usedUp.seconds);
}

function ownBudgets(office: OfficeRow, phone: string): [Limit, string][] {
  const { perOffice, perNumber } = textLimits;
  const raised = office.settings.textsPerHour;
  const points = typeof raised === 'number' && raised > 0 ? raised : perOffice.points;
  return [
    [{ ...perOffice, points }, office.id],
    [perNumber, `${office.id} ${phone}`],
  ];
}

/**
 * True if the number's owner opened a texted link here today, or is on the staff. Then texts of other practices to that number do not
 * count against this one.
 */
async function isProvedHere(tx: Tx, scope: OfficeScope, office: OfficeRow, phone: string): Promise<boolean> {
  const { rows } = await sql<{ proved: boolean }>`
    select
      exists (
        select from visit
        where office_id = ${office.id} and phone = ${phone} and day = ${dayOf(scope.now(), office.timeZone)}
          and proved_at is not null
      )
      or exists (
        select from membership m join auth.identity i on i.person_id = m.person_id
        where m.office_id = ${office.id} and i.kind = 'phone' and i.value = ${phone}
      ) as proved`.execute(tx);
  return rows[0]?.proved ?? false;
}

/** True if this number checked in here or belongs to the staff. An unconfirmed practice may text no other number. */
async function isKnownNumber(tx: Tx, officeId: string, phone: string): Promise<boolean> {
  const { rows } = await sql<{ knows: boolean }>`
    select
      exists (select from visit where office_id = ${officeId} and phone = ${phone} and arrived_at is not null)
      or exists (
        select from membership m join auth.identity i on i.person_id = m.person_id
        where m.office_id = ${officeId} and i.kind = 'phone' and i.value = ${phone}
      ) as knows`.execute(tx);
  return rows[0]?.knows ?? false;
}

/** Limits an unconfirmed practice's texts per day. Links that patients requested do not count. */
async function limitedDayRefusal(tx: Tx, scope: OfficeScope, { id, timeZone }: OfficeRow): Promise<Refusal | null> {
  const today = dayOf(scope.now(), timeZone);
  const limit = { name: 'texts-limited-office', points: limitedTextsPerDay, seconds: 2 * 86_400 };
  if (!(await takeIn(tx, scope.now(), [[limit, `${id} ${today}`]]))) return null;
  const untilMidnight = instantOf(today, '24:00', timeZone).getTime() - scope.now().getTime();
  return new Refusal('limited_texts_per_day', undefined, Math.ceil(untilMidnight / 1000));
}
