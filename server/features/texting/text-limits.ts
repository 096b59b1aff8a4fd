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

/** HELP is answered this often per number; more often only a machine asks. */
export const helpAnswers = { name: 'help-answers', points: 5, seconds: 3600 } as const satisfies Limit;

/**
 * Decides whether a text may leave, in the transaction that writes it. Throws a refusal, so that nothing else is written either.
 * Held and shown instead: what the timer sends, as nobody is there to read a refusal, and the text of an invite beyond a budget, as a
 * patient can be called in without it.
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
  if (isLimited && !(await knows(tx, office.id, text.toPhone))) return new Refusal('limited_recipient');
  // The row of the practice's own budget stays locked until the commit: 60 parallel texts are counted one after the other.
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

/** Anybody can ask for a visit's link by typing its number, so these count apart from what the practice sends. */
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
 * Did the number's owner open a texted link here today, or is it somebody's of the staff? Then what other practices send to the number
 * cannot keep this one from texting it.
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

/** Did this number check in here, or does it belong to somebody of the staff? A practice that nobody confirmed texts no other. */
async function knows(tx: Tx, officeId: string, phone: string): Promise<boolean> {
  const { rows } = await sql<{ knows: boolean }>`
    select
      exists (select from visit where office_id = ${officeId} and phone = ${phone} and arrived_at is not null)
      or exists (
        select from membership m join auth.identity i on i.person_id = m.person_id
        where m.office_id = ${officeId} and i.kind = 'phone' and i.value = ${phone}
      ) as knows`.execute(tx);
  return rows[0]?.knows ?? false;
}

/** The texts of one of the practice's days; links that the public asked for are not among them. */
async function limitedDayRefusal(tx: Tx, scope: OfficeScope, { id, timeZone }: OfficeRow): Promise<Refusal | null> {
  const today = dayOf(scope.now(), timeZone);
  const limit = { name: 'texts-limited-office', points: limitedTextsPerDay, seconds: 2 * 86_400 };
  if (!(await takeIn(tx, scope.now(), [[limit, `${id} ${today}`]]))) return null;
  const untilMidnight = instantOf(today, '24:00', timeZone).getTime() - scope.now().getTime();
  return new Refusal('limited_texts_per_day', undefined, Math.ceil(untilMidnight / 1000));
}
