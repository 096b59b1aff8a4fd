import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { asOffice, type Db } from '#server/kit/db/db.ts';
import type { BenchOffice } from './offices.ts';
import type { BenchDatabase } from './open-ground.ts';

/** The results of calls: `refused` is a 503 with Retry-After. */
export interface CallCounts {
  calls: number;
  /** The acknowledged messages. */
  written: string[];
  refused: number;
  /** More texts to a number than allowed per hour: answered 429, nothing is written. */
  limited: number;
  failures: string[];
  tookMs: number[];
}

/**
 * Each desk writes a message and then reads its queue, continuously, as a plain caller without retries; the nth desk uses the nth URL. They
 * exceed a practice's limit on texts, so the limits are reset all the time.
 */
export function startDesks(
  urls: string[],
  offices: BenchOffice[],
  owner: Db,
): { written(): string[]; stop(): Promise<CallCounts> } {
  let going = true;
  let calls = 0;
  let refused = 0;
  let limited = 0;
  const written: string[] = [];
  const failures: string[] = [];
  const tookMs: number[] = [];
  const call = async (url: string, office: BenchOffice, path: string, body?: object): Promise<unknown> => {
    calls++;
    const from = performance.now();
    const answer = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${office.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => error);
    if (answer instanceof Error) failures.push(`${path}: ${answer.message}`);
    else {
      const read: unknown = await answer.json().catch(() => null);
      tookMs.push(performance.now() - from);
      if (answer.ok) return read;
      if (answer.status === 503 && Number(answer.headers.get('retry-after')) > 0) refused++;
      else if (answer.status === 429) limited++;
      else failures.push(`${path}: ${answer.status}`);
    }
    return null;
  };
  const desk = async (office: BenchOffice, i: number) => {
    const url = urls[i % urls.length] as string;
    const list = (await call(url, office, '/api/virtual-queue/doctor')) as { patientUserCode: string }[] | null;
    const userCodes = list?.map(({ patientUserCode }) => patientUserCode) ?? [];
    for (let n = 0; going; n++) {
      const body = `desk ${office.npi} ${n}`;
      if (await call(url, office, `/api/onemd/api/v2/message/${userCodes[n % userCodes.length]}`, { body }))
        written.push(body);
      await call(url, office, '/api/virtual-queue/doctor');
    }
  };
  const desks = Promise.all(offices.map(desk));
  const resets = (async () => {
    for (; going; await sleep(50)) await resetLimits(owner).catch(() => undefined);
  })();
  return {
    /** The messages acknowledged so far. */
    written: () => [...written],
    async stop() {
      going = false;
      await Promise.all([desks, resets]);
      return { calls, written, refused, limited, failures, tookMs };
    },
  };
}

/** Skips limits that a call is counting right now: waiting for them could deadlock. */
export async function resetLimits(owner: Db): Promise<void> {
  await sql`delete from rate_limit where key in (select key from rate_limit for update skip locked)`.execute(owner);
}

/** Compares the desks' messages with the database: counts duplicates and missing acknowledged ones. */
export async function compareWritten(
  { services }: BenchDatabase,
  written: string[],
): Promise<{ rows: number; twice: number; lost: number }> {
  const found: string[] = [];
  const offices = await services.pool.query<{ id: string }>('select door_office_ids() as id');
  for (const { id } of offices.rows) {
    const rows = await asOffice(services.db, id, (tx) =>
      tx.selectFrom('message').select('body').where('officeId', '=', id).where('body', 'like', 'desk %').execute(),
    );
    found.push(...rows.map(({ body }) => body));
  }
  const different = new Set(found);
  return {
    rows: found.length,
    twice: found.length - different.size,
    lost: written.filter((body) => !different.has(body)).length,
  };
}
