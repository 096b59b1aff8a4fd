import autocannon from 'autocannon';
import { sql } from 'kysely';
import { asOffice } from '#server/kit/db/db.ts';
import { dayOf } from '#server/kit/day.ts';
import { isTextable } from '#server/kit/phone.ts';
import { median, perSecond, ratio, type Line } from '#bench/ground/report-lines.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';

const officeCount = 200;
const visitsEach = 20;
const panelsEach = 5;
const rounds = 3;
const seconds = 6;
const connections = 64;

/** 17 of 20 requests are polls; the other three are an arrival, an invite and a message. */
const turn = [
  'poll',
  'poll',
  'poll',
  'poll',
  'poll',
  'arrive',
  'poll',
  'poll',
  'poll',
  'poll',
  'poll',
  'invite',
  'poll',
  'poll',
  'poll',
  'poll',
  'poll',
  'message',
  'poll',
  'poll',
] as const;

/**
 * 200 offices × 5 panels polling, arrivals, invites and messages on 2 cores, compared with the raw server under the same mix of statements.
 */
export async function mixedLoad(): Promise<Line[]> {
  const rates: Record<'ours' | 'raw', number[]> = { ours: [], raw: [] };
  for (const who of ['raw', 'ours'] as const) {
    const ground = await openBenchDatabase();
    try {
      const offices = await addOffices(ground, officeCount, 0);
      const crowds = await Promise.all(offices.map((office, i) => fill(ground, office, i * visitsEach)));
      const server =
        who === 'ours'
          ? await ground.server({ TRUST_PROXY: '127.0.0.1' })
          : await ground.script('bench/ground/raw-mixed.ts', {
              PERSON_ID: offices[0]?.personId ?? '',
              DAY: dayOf(new Date(), 'UTC'),
            });
      for (let round = 0; round < rounds; round++) rates[who].push(await load(server.url, offices, crowds));
    } finally {
      await ground.close();
    }
  }
  const [ours, raw] = [median(rates.ours), median(rates.raw)];
  const what = `mixed load: ${officeCount} offices × ${panelsEach} panels, arrivals, invites, messages`;
  const beside = `raw ${perSecond(raw)}`;
  return [
    { what, figure: `${ratio(ours / raw)} of raw`, beside, aim: '≥ 0.60x', met: ours / raw >= 0.6 },
    { what: `${what}, in all`, figure: perSecond(ours), beside, aim: '≥ 1,800/s', met: ours >= 1_800 },
  ];
}

interface Waiting {
  id: string;
  userCode: string;
}

/**
 * A waiting crowd, written straight into the tables, because the load is measured and not the seeding. Each patient has a different number,
 * so that none exceeds the limit on texts.
 */
async function fill(ground: BenchDatabase, office: BenchOffice, phoneFrom: number): Promise<Waiting[]> {
  return asOffice(ground.services.db, office.id, async (tx) => {
    const { rows } = await sql<Waiting>`
      with people as (
        insert into patient (office_id, id, user_code, phone, first_name, last_name, created_at)
        select ${office.id}, gen_random_uuid(), substr(md5(random()::text), 1, 16), '+1312' || (5550000 + ${phoneFrom}::int + n), 'Ava', 'Nr ' || n, now()
        from generate_series(1, ${visitsEach}) n returning id, phone, user_code, last_name
      ), visits as (
        insert into visit (office_id, id, patient_id, day, status, phone, first_name, last_name, created_at, arrived_at, status_at)
        select ${office.id}, gen_random_uuid(), id, (now() at time zone 'UTC')::date, 'WAITING', phone, 'Ava', last_name, now(), now(), now() from people
        returning id, patient_id
      )
      select visits.id, people.user_code as "userCode" from visits join people on people.id = visits.patient_id`.execute(
      tx,
    );
    return rows;
  });
}

async function load(url: string, offices: BenchOffice[], crowds: Waiting[][]): Promise<number> {
  const etags = new Map<string, string>();
  let n = 0;
  const json = { 'content-type': 'application/json' };
  const request: Record<(typeof turn)[number], (office: BenchOffice, crowd: Waiting[]) => autocannon.Request> = {
    poll: (office) => {
      const etag = etags.get(office.id);
      return {
        method: 'GET',
        path: '/api/virtual-queue/doctor?includeCancelled=true&includeDoctorCancelled=true',
        headers: { ...signedIn(office), ...(etag && { 'if-none-match': etag }) },
      };
    },
    arrive: (office) => ({
      method: 'POST',
      path: `/api/checkin/${office.npi}`,
      headers: { ...json, 'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` },
      body: JSON.stringify({
        firstName: 'Ava',
        lastName: 'Arrival',
        phone: newNumber(process.hrtime()[1] + n),
        birthDate: '1990-01-01',
        household: [],
        language: 'en',
      }),
    }),
    invite: (office, crowd) => ({
      method: 'POST',
      path: '/api/virtual-queue/',
      headers: { ...signedIn(office), ...json },
      body: JSON.stringify({ id: crowd[n % crowd.length]?.id, action: 'INVITED' }),
    }),
    message: (office, crowd) => ({
      method: 'POST',
      path: `/api/onemd/api/v2/message/${crowd[n % crowd.length]?.userCode}`,
      headers: { ...signedIn(office), ...json },
      body: JSON.stringify({ body: 'Please use the door on the right.' }),
    }),
  };
  const requests = turn.map((kind): autocannon.Request => {
    let asked: BenchOffice | undefined;
    return {
      setupRequest: (base) => {
        n++;
        const at = Math.floor(Math.random() * offices.length);
        asked = offices[at] as BenchOffice;
        return { ...base, ...request[kind](asked, crowds[at] as Waiting[]) };
      },
      onResponse: (_status, _body, _context, headers) => {
        const { etag } = (headers ?? {}) as Record<string, string>;
        if (kind === 'poll' && etag && asked) etags.set(asked.id, etag);
      },
    };
  });
  const result = await autocannon({ url, connections, duration: seconds, requests });
  const failed =
    result['5xx'] +
    result.errors +
    (result.statusCodeStats?.['401']?.count ?? 0) +
    (result.statusCodeStats?.['400']?.count ?? 0) +
    (result.statusCodeStats?.['429']?.count ?? 0);
  if (failed > 0) throw new Error(`${url} answered ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  return result.requests.average;
}

/** A number that the server accepts: some exchanges are pay-per-call or service codes. */
function newNumber(seed: number): string {
  const number = `+1646${2_000_000 + (seed % 7_999_999)}`;
  return isTextable(number) ? number : newNumber(seed + 10_000);
}

const signedIn = (office: BenchOffice) => ({ authorization: `Bearer ${office.token}`, 'x-office': office.id });
