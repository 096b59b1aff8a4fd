import { sql } from 'kysely';
import { addOffices } from '#bench/ground/offices.ts';
import { besideOneRow, oneRowPath } from '#bench/ground/one-row.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { ms, percentile, ratio, type Line } from '#bench/ground/report-lines.ts';

const payments = 100_000;
const asks = 300;

/**
 * The Transactions page over 100,000 payments: its first and its last page, its totals and a search for a name that few have, compared with one
 * plain row by its key. Totals and names look at every payment: their ratio is shown and has no aim (decision 0147).
 */
export async function transactions(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    const [office] = await addOffices(ground, 1, 1);
    if (!office) throw new Error('there is no office');
    await addPayments(ground, office.id);
    const { url } = await ground.server();
    const headers = { authorization: `Bearer ${office.token}`, 'x-office': office.id };
    const ask = async (path: string, body?: object) => {
      const started = performance.now();
      const sent = body && { method: 'POST', body: JSON.stringify(body) };
      const type = body && { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/api${path}`, { ...sent, headers: { ...headers, ...type } });
      const read = (await answer.json()) as { transactions?: object[] };
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return { took: performance.now() - started, found: read.transactions?.length ?? 0 };
    };
    const first = () => ask('/payments/merchant/transactions');
    const last = () => ask('/payments/merchant/transactions?last=true');
    const totals = () => ask('/payments/merchant/transactions/totals', {});
    const named = () => ask('/payments/merchant/transactions/search', { patientName: 'quix' });
    const namedTotals = () => ask('/payments/merchant/transactions/totals', { patientName: 'quix' });
    const row = await oneRowPath(ground, office.id);
    const byKey = () => ask(row);
    if ((await first()).found === 0 || (await named()).found === 0) throw new Error('no transactions found');

    for (let i = 0; i < 30; i++) await Promise.all([first(), last(), byKey()]);
    const times: Record<'one' | 'first' | 'last' | 'totals' | 'named' | 'namedTotals', number[]> = {
      one: [],
      first: [],
      last: [],
      totals: [],
      named: [],
      namedTotals: [],
    };
    for (let i = 0; i < asks; i++) {
      times.one.push((await byKey()).took);
      times.first.push((await first()).took);
      times.last.push((await last()).took);
      if (i % 3 !== 0) continue;
      times.totals.push((await totals()).took);
      times.named.push((await named()).took);
      times.namedTotals.push((await namedTotals()).took);
    }
    const one = percentile(times.one, 95);
    const line = (what: string, of: number[], hasAim = true): Line => {
      const p95 = percentile(of, 95);
      return {
        what,
        figure: `p95 ${ms(p95)} = ${ratio(p95 / one)}`,
        beside: besideOneRow(one),
        aim: hasAim ? '≤ 4x' : '',
        met: hasAim ? p95 <= 4 * one : null,
      };
    };
    const many = payments.toLocaleString('en');
    return [
      line(`the first page of ${many} transactions`, times.first),
      line(`the last page of ${many} transactions`, times.last),
      line(`the totals of ${many} transactions`, times.totals, false),
      line(`a page of a name that 20 of ${many} transactions have`, times.named, false),
      line('the totals of that name', times.namedTotals, false),
    ];
  } finally {
    await ground.close();
  }
}

/** Payments of three years on one visit; one in twenty failed, one in 5,000 is of another patient. */
async function addPayments({ owner }: BenchDatabase, officeId: string): Promise<void> {
  await sql`update office set finix_identity = 'ID-bench' where id = ${officeId}::uuid`.execute(owner);
  await sql`
    insert into payment (office_id, id, visit_id, patient_name, copay_cents, amount_cents, state, provider, merchant, created_at, settled_at)
    select ${officeId}::uuid, gen_random_uuid(), v.id, case when n % 5000 = 0 then 'Zelda Quix' else 'Maria Chen' end, 2500, 2500,
      case when n % 20 = 0 then 'FAILED' else 'SUCCEEDED' end, 'local', 'MU-bench', now() - make_interval(mins => n * 15), now()
    from generate_series(1, ${payments}) n
    cross join (select id from visit where office_id = ${officeId}::uuid limit 1) v
  `.execute(owner);
  await sql`vacuum analyze payment`.execute(owner);
}
