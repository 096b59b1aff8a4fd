import { sql } from 'kysely';
import { addOffices } from '#bench/ground/offices.ts';
import { besideOneRow, oneRowPath } from '#bench/ground/one-row.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { ms, percentile, ratio, type Line } from '#bench/ground/report-lines.ts';
import { loadBuiltInForms } from '#server/features/forms/index.ts';

const patients = 10_000;
const asks = 300;

/** The patient list of an office with 10,000 ambulatory patients, sorted by a pain score, compared with one plain row by its key. */
export async function ambulatoryList(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    await loadBuiltInForms(ground.services);
    const [office] = await addOffices(ground, 1, 1);
    if (!office) throw new Error('there is no office');
    await addPatients(ground, office.id);
    const row = await oneRowPath(ground, office.id);
    const { url } = await ground.server();
    const headers = {
      authorization: `Bearer ${office.token}`,
      'x-office': office.id,
      'content-type': 'application/json',
    };
    const ask = async (path: string, body?: object) => {
      const started = performance.now();
      const method = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      const answer = await fetch(`${url}/api${path}`, { headers, ...method });
      const read = (await answer.json()) as { total?: number };
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return { took: performance.now() - started, total: read.total };
    };
    const page = (number: number) => ask('/ambu/patients/search', { sort: 'stationary', page: number });
    const byKey = () => ask(row);

    const { total } = await page(1);
    if (total !== patients) throw new Error(`${total} patients found`);
    for (let i = 0; i < 30; i++) await Promise.all([page(1), page(1_000), byKey()]);
    const times: Record<'one' | 'first' | 'late', number[]> = { one: [], first: [], late: [] };
    for (let i = 0; i < asks; i++) {
      times.one.push((await byKey()).took);
      times.first.push((await page(1)).took);
      times.late.push((await page(1_000)).took);
    }
    const one = percentile(times.one, 95);
    const line = (what: string, of: number[]): Line => {
      const p95 = percentile(of, 95);
      return {
        what: `${what} of ${patients.toLocaleString('en')} ambulatory patients, sorted by a pain score`,
        figure: `p95 ${ms(p95)} = ${ratio(p95 / one)}`,
        beside: besideOneRow(one),
        aim: '≤ 4x',
        met: p95 <= 4 * one,
      };
    };
    return [line('the first page', times.first), line('page 1,000', times.late)];
  } finally {
    await ground.close();
  }
}

/** Patients of a year with three surveys each; one in a hundred waits for a call. */
async function addPatients({ owner }: BenchDatabase, officeId: string): Promise<void> {
  const settings = { providers: [{ name: 'ambu', enabled: true, adminNavBar: true }] };
  await owner
    .updateTable('office')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', officeId)
    .execute();
  const definition = await owner
    .selectFrom('builtInForm')
    .select(['id', 'type', 'version'])
    .where('type', '=', 'ambu-survey-day')
    .executeTakeFirstOrThrow();
  const { patientId } = await owner
    .selectFrom('visit')
    .select('patientId')
    .where('officeId', '=', officeId)
    .executeTakeFirstOrThrow();
  await sql`
    insert into episode (office_id, id, patient_id, name, phone, language, held_on, state, invited_at, consented_at,
      stationary_pain, movement_pain, last_type, last_submitted_at)
    select ${officeId}::uuid, gen_random_uuid(), ${patientId}::uuid, 'Patient ' || n, '+1212555' || lpad((n % 10000)::text, 4, '0'), 'en',
      current_date - (n % 365), 'active', now() - make_interval(mins => n * 50), now() - make_interval(mins => n * 50),
      n % 11, n * 7 % 11, 'ambu-survey-day', now() - make_interval(mins => n * 50)
    from generate_series(1, ${patients}) n`.execute(owner);
  await sql`
    insert into survey (office_id, id, episode_id, type, day, due_on, open_until, definition_id, form_type, form_version, form_name, photo, created_at)
    select e.office_id, gen_random_uuid(), e.id, 'ambu-survey-day', d, e.held_on + d, now(), ${definition.id}::uuid, ${definition.type},
      ${definition.version}, '{"en":"","es":""}', false, now()
    from episode e cross join unnest(array[1, 2, 3]) d`.execute(owner);
  await sql`
    insert into nurse_callback (office_id, id, episode_id, state, reasons, raised_at, day)
    select e.office_id, gen_random_uuid(), e.id, 'open', '[]', now(), 1 from episode e order by e.id limit ${patients / 100}`.execute(
    owner,
  );
  for (const table of ['episode', 'survey', 'nurse_callback'])
    await sql`vacuum analyze ${sql.id(table)}`.execute(owner);
}
