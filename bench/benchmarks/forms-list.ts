import { asOffice } from '#server/kit/db/db.ts';
import { median, ms, percentile, ratio, type Line } from '#bench/ground/report-lines.ts';
import { formsOffice, pastSubmissions } from '#bench/ground/forms-office.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';

const submissions = 100_000;
const asks = 300;

/**
 * The forms list of an office with 100,000 submissions, by name and days, page 1 and page 1,000, compared with one visit by its key through
 * the same kind of route.
 */
export async function formsList(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    const office = await formsOffice(ground);
    await pastSubmissions(ground, office, submissions);
    const visit = await asOffice(ground.services.db, office.officeId, (tx) =>
      tx.selectFrom('visit').select('id').limit(1).executeTakeFirstOrThrow(),
    );
    const { url } = await ground.server();
    const ask = async (path: string) => {
      const started = performance.now();
      const answer = await fetch(`${url}/api${path}`, { headers: office.headers });
      const body = (await answer.json()) as { total: number; forms: unknown[] };
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return { took: performance.now() - started, body };
    };
    const list = (page: number, name = 'mar', from = 700) => {
      const days = new URLSearchParams({
        startDate: new Date(Date.now() - from * 86_400_000).toISOString().slice(0, 10),
        endDate: new Date().toISOString().slice(0, 10),
        patientName: name,
        page: String(page),
      });
      return ask(`/onemd/api/v2/formpaths/?${days}`);
    };
    const byKey = () => ask(`/virtual-queue/visit/${visit.id}`);

    const first = await list(1);
    if (first.body.total < 10_000) throw new Error(`only ${first.body.total} found`);
    for (let i = 0; i < 30; i++) await Promise.all([list(1), list(1000), byKey()]);
    const times: Record<'one' | 'early' | 'late', number[]> = { one: [], early: [], late: [] };
    for (let i = 0; i < asks; i++) {
      times.one.push((await byKey()).took);
      times.early.push((await list(1)).took);
      times.late.push((await list(1000)).took);
    }
    const fresh: number[] = [];
    for (let i = 0; i < 20; i++) fresh.push((await list(1, ['mar', 'james', 'wei', 'jose'][i % 4], 300 + i)).took);
    const p95 = (of: keyof typeof times) => percentile(times[of], 95);
    const slowest = Math.max(p95('early'), p95('late'));
    return [
      {
        what: `forms list of ${submissions.toLocaleString('en')}, name and days, ${first.body.total.toLocaleString('en')} found: p95 of page 1 / page 1,000`,
        figure: `${ms(p95('early'))} / ${ms(p95('late'))} = ${ratio(slowest / p95('one'))}`,
        beside: `one visit by its key, signed in and recorded, p95 ${ms(p95('one'))}`,
        aim: '≤ 10x',
        met: slowest <= 10 * p95('one'),
      },
      {
        what: 'page 1,000 beside page 1, medians',
        figure: ratio(median(times.late) / median(times.early)),
        beside: `${ms(median(times.late))} and ${ms(median(times.early))}`,
        aim: '≤ 1.5x',
        met: median(times.late) <= 1.5 * median(times.early),
      },
      {
        what: 'a filter nobody asked before, or just after a form was filed',
        figure: `median ${ms(median(fresh))}, p95 ${ms(percentile(fresh, 95))}`,
        beside: '',
        aim: '',
        met: null,
      },
    ];
  } finally {
    await ground.close();
  }
}
