import { sql } from 'kysely';
import { addOffices } from '#bench/ground/offices.ts';
import { besideOneRow, oneRowPath } from '#bench/ground/one-row.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { ms, percentile, ratio, type Line } from '#bench/ground/report-lines.ts';

const conversations = 50_000;
const asks = 300;
/** Names that many, few and no people have, two words, and digits of a number. */
const searches = ['mar', 'wei ch', 'zuzanna', 'nobody', '5550', '4711'];

/** The inbox of 50,000 conversations: its first page and its search, compared with one plain row by its key. */
export async function inbox(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    const [office] = await addOffices(ground, 1, 0);
    if (!office) throw new Error('there is no office');
    await addConversations(ground, office.id);
    const { url } = await ground.server();
    const headers = {
      authorization: `Bearer ${office.token}`,
      'x-office': office.id,
      'content-type': 'application/json',
    };
    const ask = async (path: string, body?: object) => {
      const started = performance.now();
      const answer = await fetch(`${url}/api${path}`, {
        method: body ? 'POST' : 'GET',
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const read = (await answer.json()) as { conversations?: { pk: string }[] };
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return { took: performance.now() - started, found: read.conversations ?? [] };
    };
    const firstPage = () => ask('/inbox?filter=unanswered');
    const search = (n: number) => ask('/inbox/search', { search: searches[n % searches.length], filter: 'all' });
    const row = await oneRowPath(ground, office.id);
    const byKey = () => ask(row);
    if ((await firstPage()).found.length === 0) throw new Error('the inbox is empty');

    for (let i = 0; i < 30; i++) await Promise.all([firstPage(), search(i), byKey()]);
    const times: Record<'one' | 'page' | 'search', number[]> = { one: [], page: [], search: [] };
    for (let i = 0; i < asks; i++) {
      times.one.push((await byKey()).took);
      times.page.push((await firstPage()).took);
      times.search.push((await search(i)).took);
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
    const many = conversations.toLocaleString('en');
    return [
      line(`the first page of an inbox of ${many} conversations`, times.page),
      line(`a search in it (${searches.join(', ')})`, times.search),
    ];
  } finally {
    await ground.close();
  }
}

const firstNames = ['Maria', 'James', 'Wei', 'José', 'Amina', 'Noah', 'Olivia', 'Mark', 'Sofía', 'Liam'];
const lastNames = ['Chen', 'Garcia', 'Smith', 'Nguyen', 'Johnson', 'Okafor', 'Marsh', 'Rossi', 'Kowalski', 'Lee'];

/** Conversations of a year, each with one message; one in twenty is unanswered. */
async function addConversations({ owner }: BenchDatabase, officeId: string): Promise<void> {
  await sql`
    insert into conversation (office_id, id, phone, search_name, created_at, last_sequence, last_at, last_body, last_sender, unread, unanswered)
    select ${officeId}::uuid, gen_random_uuid(), p.phone,
      search_words(concat_ws(' ', p.first, p.last, substr(p.phone, 3))),
      p.at, 1, p.at, 'Do you take walk-ins?', 'patient', case when p.n % 20 = 0 then 1 else 0 end, p.n % 20 = 0
    from (
      select n, '+1' || (646 + n % 7)::text || '555' || lpad((n / 7)::text, 4, '0') as phone, now() - make_interval(mins => n * 10) as at,
        case when n % 9973 = 0 then 'Zuzanna' else (${firstNames}::text[])[1 + n % 10] end as first,
        (${lastNames}::text[])[1 + (n / 10) % 10] as last
      from generate_series(1, ${conversations}) n
    ) p
  `.execute(owner);
  await sql`
    insert into message (office_id, id, conversation_id, sequence, at, sender, kind, body)
    select office_id, gen_random_uuid(), id, 1, last_at, 'patient', 'message', last_body
    from conversation where office_id = ${officeId}::uuid
  `.execute(owner);
  await sql`vacuum analyze conversation, message`.execute(owner);
}
