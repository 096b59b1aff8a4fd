import { sql } from 'kysely';
import { addOffices } from '#bench/ground/offices.ts';
import { besideOneRow, oneRowPath } from '#bench/ground/one-row.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { ms, percentile, ratio, type Line } from '#bench/ground/report-lines.ts';

const payments = 100_000;
const asks = 300;

/** The Transactions page over 100,000 payments: its first and its last page, compared with one plain row by its key. */
export async function transactions(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    const [office] = await addOffices(ground, 1, 1);
    if (!office) throw new Error('there is no office');
    await addPayments(ground, office.id);
    const { url } = await ground.server();
    const headers = { authorization: `Bearer ${office.token}`, 'x-office': office.id };
    const ask = async (path: string) => {
      const started = performance.now();
      const answer = await fetch(`${url}/api${path}`, { headers });
      const read = (await answer.json()) as { transactions?: object[] };
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return { took: performance.now() - started, found: read.transactions?.length ?? 0 };
    };
    const first = () => ask('/payments/merchant/transactions');
    const last = () => ask('/payments/merchant/transactions?last=true');
    const row = await oneRowPath(ground, office.id);
    const byKey = () => ask(row);
    if ((await first()).found === 0) throw new Error('no transactions found');

    for (let i = 0; i < 30; i++) await Promise.all([first(), last(), byKey()]);
    const times: Record<'one' | 'first' | 'last', number[]> = { one: [], first: [], last: [] };
    for (let i = 0; i < asks; i++) {
      times.one.push((await byKey()).took);
      times.first.push((await first()).took);
      times.last.push((await last()).took);
    }
    const one = percentile(times.one, 95);
    const line = (what: string, of: number[]): Line => {
      const p95 = percentile(of, 95);
      return {
        what,
        figure: `p95 ${ms(p95)} = ${ratio(p95 / one)}`,
        beside: besideOneRow(one),
        aim: '≤ 4x',
        met: p95 <= 4 * one,
      };
    };
    const many = payments.toLocaleString('en');
    return [
      line(`the first page of ${many} transactions`, times.first),
      line(`the last page of ${many} transactions`, times.last),
    ];
  } finally {
    await ground.close();
  }
}

/** Payments of three years on one visit; one in twenty failed. */
async function addPayments({ owner }: BenchDatabase, officeId: string): Promise<void> {
  await sql`update office set finix_identity = 'ID-bench' where id = ${officeId}::uuid`.execute(owner);
  await sql`
    insert into payment (office_id, id, visit_id, patient_name, copay_cents, amount_cents, state, provider, merchant, created_at, settled_at)
    select ${officeId}::uuid, gen_random_uuid(), v.id, 'Maria Chen', 2500, 2500,
      case when n % 20 = 0 then 'FAILED' else 'SUCCEEDED' end, 'local', 'MU-bench', now() - make_interval(mins => n * 15), now()
    from generate_series(1, ${payments}) n
    cross join (select id from visit where office_id = ${officeId}::uuid limit 1) v
  `.execute(owner);
  await sql`vacuum analyze payment`.execute(owner);
}
