import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { asOffice, type Db } from '#server/kit/db/db.ts';
import type { BenchOffice } from './offices.ts';
import type { Ground } from './open-ground.ts';

/** What an acknowledged or refused call was: `refused` is a 503 that says when to try again. */
export interface Tally {
  calls: number;
  /** The messages that were acknowledged. */
  written: string[];
  refused: number;
  /** More texts to a number than are allowed in an hour: answered 429, nothing is written. */
  limited: number;
  failures: string[];
  tookMs: number[];
}

/**
 * Each desk writes a message of its own, then looks at its queue, without a pause, as plain callers that never try again; the nth desk
 * calls the nth of these addresses. They write more texts than a practice may send, so the limits start anew all the time.
 */
export function startDesks(
  urls: string[],
  offices: BenchOffice[],
  owner: Db,
): { written(): string[]; stop(): Promise<Tally> } {
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
    /** What has been acknowledged so far. */
    written: () => [...written],
    async stop() {
      going = false;
      await Promise.all([desks, resets]);
      return { calls, written, refused, limited, failures, tookMs };
    },
  };
}

/** Skips the limits that a call counts right now: waiting for them could end in a deadlock. */
async function resetLimits(owner: Db): Promise<void> {
  await sql`delete from rate_limit where key in (select key from rate_limit for update skip locked)`.execute(owner);
}

/** What the desks' messages came to in the database: how many are there twice, and how many acknowledged ones are not there. */
export async function compareWritten(
  { services }: Ground,
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
