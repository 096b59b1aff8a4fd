import { sql } from 'kysely';
import type { BenchDatabase } from '#bench/ground/open-ground.ts';
import { dayOf } from '#server/kit/day.ts';

const dayMs = 86_400_000;

interface SurveyText {
  phone: string;
  kind: 'survey' | 'reminder';
  /** The day of the episode on which it was sent, and the hours by the office's and the number's clock. */
  day: number;
  hour: number;
  hourThere: number;
}

const zoneOfArea: Record<string, string> = {
  212: 'America/New_York',
  312: 'America/Chicago',
  480: 'America/Phoenix',
  310: 'America/Los_Angeles',
  787: 'America/Puerto_Rico',
};

/** The texts about surveys, as the carrier took them. */
export async function surveyTexts({ owner }: BenchDatabase): Promise<SurveyText[]> {
  const { rows } = await sql<{ phone: string; body: string; at: Date; held: string; zone: string }>`
    select c.recipient as phone, c.body, c.at, e.held_on::text as held, o.time_zone as zone
    from dev.outbox c join episode e on e.phone = c.recipient join office o on o.id = e.office_id
    where c.channel = 'text' and c.body not like '%may we check on you%'`.execute(owner);
  return rows.map(({ phone, body, at, held, zone }) => ({
    phone,
    kind: body.includes('reminder') ? 'reminder' : 'survey',
    day: Math.round((Date.parse(dayOf(at, zone)) - Date.parse(held)) / dayMs),
    hour: hourOf(at, zone),
    hourThere: hourOf(at, zoneOfArea[phone.slice(2, 5)] ?? zone),
  }));
}

const hourOf = (at: Date, timeZone: string): number =>
  Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(at));

/** What is wrong with the texts, measured against the surveys that were expected (`phone day`). */
export function judge(texts: readonly SurveyText[], expected: readonly string[]) {
  const wanted = new Set(expected);
  const times = (kind: SurveyText['kind']) => {
    const counted = new Map<string, number>();
    for (const text of texts.filter((one) => one.kind === kind)) {
      const key = `${text.phone} ${text.day}`;
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    return counted;
  };
  const surveys = times('survey');
  const isNight = (hour: number) => hour < 8 || hour >= 21;
  return {
    missing: expected.filter((key) => !surveys.has(key)).length,
    twice: [...surveys.values()].filter((count) => count > 1).length,
    uncalled: texts.filter(({ phone, day }) => !wanted.has(`${phone} ${day}`)).length,
    atNight: texts.filter(({ hour, hourThere }) => isNight(hour) || isNight(hourThere)).length,
    overReminded: [...times('reminder').values()].filter((count) => count > 2).length,
  };
}
