import { sql } from 'kysely';
import type { RefusalCode } from '#contract/refusals.ts';
import { limitedTextsPerDay, textLimits } from '#contract/texting.ts';
import type { OfficeScope } from '#server/ctx.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db.ts';
import { takeIn, type Limit } from '#server/kit/limits.ts';
import type { OfficeRow } from '#server/kit/office-row.ts';
import { Refusal } from '#server/kit/refusal.ts';
import type { NewText } from './texts.ts';

/** HELP is answered this often per number; more often only a machine asks. */
export const helpAnswers = { name: 'help-answers', points: 5, seconds: 3600 } as const satisfies Limit;

/**
 * Decides whether a text may leave, in the transaction that writes it. Throws a refusal, so that nothing else is written either.
 * A text that the timer sends is held instead: nobody is there to read the refusal, and the queue shows it as held.
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
  throw refusal;
}

async function refusalOf(tx: Tx, scope: OfficeScope, office: OfficeRow, text: NewText): Promise<Refusal | null> {
  const isLimited = office.confirmedAt === null;
  if (isLimited && text.ownWords) return new Refusal('limited_own_words');
  // The row of the practice's own budget stays locked until the commit: 60 parallel texts are counted one after the other.
  const usedUp = await takeIn(tx, scope.now(), budgetsOf(office, text.toPhone));
  if (usedUp) {
    const code: RefusalCode =
      usedUp.limit.name === textLimits.perOffice.name ? 'too_many_texts' : 'too_many_texts_to_number';
    return new Refusal(code, undefined, usedUp.seconds);
  }
  return isLimited ? limitedRefusal(tx, scope, office, text.toPhone) : null;
}

function budgetsOf(office: OfficeRow, phone: string): [Limit, string][] {
  const { perOffice, perNumber, perNumberEverywhere, perNumberPerDay } = textLimits;
  const raised = office.settings.textsPerHour;
  const points = typeof raised === 'number' && raised > 0 ? raised : perOffice.points;
  return [
    [{ ...perOffice, points }, office.id],
    [perNumber, `${office.id} ${phone}`],
    [perNumberEverywhere, phone],
    [perNumberPerDay, phone],
  ];
}

/** What a practice that nobody confirmed may not: write to strangers, and write more than a few texts a day. */
async function limitedRefusal(tx: Tx, scope: OfficeScope, office: OfficeRow, phone: string): Promise<Refusal | null> {
  const today = dayOf(scope.now(), office.timeZone);
  const [midnight, nextMidnight] = ['00:00', '24:00'].map((time) => instantOf(today, time, office.timeZone)) as [
    Date,
    Date,
  ];
  const { rows } = await sql<{ knows: boolean; texts: number }>`
    select
      exists (select from visit where office_id = ${office.id} and phone = ${phone} and arrived_at is not null)
      or exists (
        select from membership m join auth.identity i on i.person_id = m.person_id
        where m.office_id = ${office.id} and i.kind = 'phone' and i.value = ${phone}
      ) as knows,
      (select count(*)::int from text
       where office_id = ${office.id} and created_at >= ${midnight}
         and state <> 'held' and error_class is distinct from 'opted-out') as texts`.execute(tx);
  const { knows, texts } = rows[0] ?? { knows: false, texts: 0 };
  if (!knows) return new Refusal('limited_recipient');
  if (texts < limitedTextsPerDay) return null;
  return new Refusal(
    'limited_texts_per_day',
    undefined,
    Math.ceil((nextMidnight.getTime() - scope.now().getTime()) / 1000),
  );
}
