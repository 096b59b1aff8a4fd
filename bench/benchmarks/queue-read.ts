import autocannon from 'autocannon';
import { runStories } from '#db/seed/play-stories.ts';
import { bigMorning } from '#db/seed/morning.ts';
import { demoOffices } from '#db/seed/offices.ts';
import { addOffice, addStaff } from '#server/features/office/index.ts';
import { dayOf } from '#server/kit/day.ts';
import { median, perSecond, ratio, type Line } from '#bench/ground/report-lines.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';

const rounds = 5;
const seconds = 4;

/**
 * `GET /api/virtual-queue/doctor`, 40 visits, signed in, RLS and audit on, compared with the raw server; with
 * one SELECT of the answer that the app has cached; and an unchanged queue compared with a changed one.
 */
export async function queueRead(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    const { office } = demoOffices[0] as (typeof demoOffices)[0];
    const officeId = await addOffice(ground.owner, ground.services, {
      ...office,
      timeZone: 'UTC',
      agreementSignedAt: new Date(0),
    });
    const personId = await addStaff(ground.owner, ground.services, { name: 'Bench', email: 'bench@maple.test' }, [
      officeId,
    ]);
    await runStories(ground.services, officeId, 'UTC', bigMorning(40), {
      phoneFrom: 0,
      desk: { kind: 'staff', id: personId, name: 'Bench' },
    });
    const token = await ground.session(personId);

    const raw = await ground.script('bench/ground/raw-server.ts', {
      OFFICE_ID: officeId,
      PERSON_ID: personId,
      DAY: dayOf(new Date(), 'UTC'),
    });
    const ours = await ground.server();
    const url = `${ours.url}/api/virtual-queue/doctor`;
    const headers = { authorization: `Bearer ${token}`, 'x-office': officeId };
    const first = await fetch(url, { headers });
    const visits = (await first.json()) as unknown[];
    if (visits.length !== 40) throw new Error(`the queue answers ${visits.length} visits, not 40`);
    const etag = first.headers.get('etag') ?? '';

    if ((await (await fetch(`${raw.url}/cached`)).text()) !== (await (await fetch(url, { headers })).text()))
      throw new Error("the raw server's cached answer is not the app's");

    const rates: Record<'raw' | 'cached' | 'ours' | 'unchanged', number[]> = {
      raw: [],
      cached: [],
      ours: [],
      unchanged: [],
    };
    for (let round = 0; round < rounds; round++) {
      rates.raw.push(await load(`${raw.url}/queue`, {}));
      rates.cached.push(await load(`${raw.url}/cached`, {}));
      rates.ours.push(await load(url, headers));
      rates.unchanged.push(await load(url, { ...headers, 'if-none-match': etag }, 304));
    }
    const [rawRate, ourRate, unchangedRate] = [median(rates.raw), median(rates.ours), median(rates.unchanged)];
    const besideRaw = median(rates.ours.map((rate, i) => rate / (rates.raw[i] ?? Number.NaN)));
    const besideFirst = median(rates.unchanged.map((rate, i) => rate / (rates.ours[i] ?? Number.NaN)));
    const besideCached = median(rates.ours.map((rate, i) => rate / (rates.cached[i] ?? Number.NaN)));
    return [
      {
        what: 'queue of 40 visits, signed in, RLS and audit on',
        figure: `${perSecond(ourRate)} = ${ratio(besideRaw)} of raw`,
        beside: `raw node:http + pg ${perSecond(rawRate)}`,
        aim: '≥ 0.80x',
        met: besideRaw >= 0.8,
      },
      {
        what: 'the same, beside its cached answer',
        figure: `${perSecond(ourRate)} = ${ratio(besideCached)} of raw`,
        beside: `one prepared SELECT of it, without session, RLS and entry ${perSecond(median(rates.cached))}`,
        aim: '≥ 0.50x',
        met: besideCached >= 0.5,
      },
      {
        what: 'the same unchanged, with its ETag',
        figure: `${perSecond(unchangedRate)} = ${ratio(besideFirst)} of the first`,
        beside: perSecond(ourRate),
        aim: '≥ 1.5x, 3x wished',
        met: besideFirst >= 1.5,
      },
    ];
  } finally {
    await ground.close();
  }
}

/** Requests per second over 32 connections; any other status is an error. */
async function load(url: string, headers: Record<string, string>, expected: 200 | 304 = 200): Promise<number> {
  const result = await autocannon({ url, headers, connections: 32, duration: seconds });
  const wanted = expected === 200 ? result['2xx'] : (result.statusCodeStats?.[`${expected}`]?.count ?? 0);
  if (result.errors > 0 || wanted < result.requests.total * 0.99)
    throw new Error(`${url} answered ${JSON.stringify(result.statusCodeStats)}`);
  return result.requests.average;
}
