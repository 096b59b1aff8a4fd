import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DB } from '#db/tables.ts';
import { openDb, openOwnerPool } from '#server/kit/db/db.ts';
import { runAsOwner } from '#testing/app/database-nodes.ts';
import { freshDatabase } from '#testing/app/test-app.ts';
import { startProcess } from '#testing/app/process.ts';

const npi = '1234567893';
const canaries: string[] = [];
/** A word, number or secret that must not appear in any output. */
function canary(text: string): string {
  canaries.push(text);
  return text;
}
/** A phone number is looked for without its country code too. A code's six digits also occur inside the times of a log, so they must stand alone. */
function shows(line: string, text: string): boolean {
  if (/^\d{6}$/.test(text)) return new RegExp(`\\b${text}\\b`).test(line);
  return [text, text.replace(/^\+1/, ''), encodeURIComponent(text)].some((spelling) => line.includes(spelling));
}
const word = (what: string) => canary(`${what}${randomBytes(6).toString('hex')}`);
let phones = 0;
const phone = () => canary(`+1303555${String(1000 + phones++)}`);

let database: { url: string; drop(): Promise<void> };
let server: Awaited<ReturnType<typeof startProcess>>;
let owner: Kysely<DB>;
let token: string | null = null;

beforeAll(async () => {
  database = await freshDatabase();
  owner = openDb(openOwnerPool(database.url));
  server = await startProcess(database.url, { LOG_LEVEL: 'trace' });
}, 120_000);
afterAll(async () => {
  await server.stop('SIGKILL');
  await owner.destroy();
  await database.drop();
});

interface Answer {
  status: number;
  body: { token?: string; _id?: string; id?: string; patientUserCode?: string };
}
async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : {} };
}
const arrival = () => ({
  firstName: word('First'),
  lastName: word('Last'),
  phone: phone(),
  birthDate: '1971-03-04',
  household: [{ firstName: word('Child'), lastName: word('Kin'), birthDate: '2015-05-06' }],
  language: 'en',
});

test('no patient data is printed in any main flow or forced error, at the most verbose log level', async () => {
  const email = canary('luis@maple.test');
  await call('POST', '/api/sign-in/code', { email });
  const outbox = (await (await fetch(`${server.url}/dev/outbox.json?to=${email}`)).json()) as { body: string }[];
  const code = canary(/\b\d{6}\b/.exec(outbox[0]?.body ?? '')?.[0] ?? 'no code');
  await call('POST', '/api/sign-in/verify', { email, code: canary('918273'), bearer: true });
  token = canary((await call('POST', '/api/sign-in/verify', { email, code, bearer: true })).body.token ?? 'no token');

  for (let i = 0; i < 20; i++) {
    const { body } = await call('POST', `/api/checkin/${npi}`, arrival(), {
      'idempotency-key': word('key'),
      'user-agent': word('phone'),
    });
    const link = canary(body.token ?? 'no link');
    await call('GET', `/api/visit/${link}`);
    await call('GET', `/visit/${link}`);
    await call('POST', `/api/visit/${link}`, { action: i % 2 ? 'cancel' : 'stillWaiting' });
    await call('POST', `/api/visit/${link}`, { action: word('action') });
    await call('GET', `/api/visit/${word('token')}${'x'.repeat(20)}`);
  }
  const list = (await (
    await fetch(`${server.url}/api/virtual-queue/doctor`, { headers: { authorization: `Bearer ${token}` } })
  ).json()) as {
    id: string;
    patientUserCode: string;
    statusCode: string;
  }[];
  const waiting = list.filter(({ statusCode }) => statusCode === 'WAITING');
  expect(waiting.length).toBeGreaterThan(9);
  for (const { id, patientUserCode } of waiting) {
    await call('POST', `/api/onemd/api/v2/message/${patientUserCode}`, { title: word('Title'), body: word('Message') });
    await call('POST', '/api/virtual-queue/', { id, action: 'INVITED', notes: word('Note'), patient: word('Shown') });
    await call('POST', '/api/virtual-queue/', { id, action: 'INVITED', notes: word('Again') });
    await call('POST', '/api/virtual-queue/', { id, action: 'DOCTOR_CANCELLED', notes: word('Ended') });
    await call('GET', `/api/virtual-queue/visit/${id}`);
  }
  for (let i = 0; i < 10; i++) {
    const to = phone();
    await call('POST', '/api/appointments/addCheckin', { phone: to, text: word('Text') });
    await call('POST', '/dev/outbox/reply', { to: '+12125550150', from: to, body: word('Reply') });
  }

  // An invalid call must not be echoed.
  await call('POST', `/api/checkin/${npi}`, `{"firstName": "${word('Broken')}`);
  await call('POST', `/api/checkin/${npi}`, {
    ...arrival(),
    firstName: { is: word('Nested') },
    language: word('tongue'),
  });
  await call('POST', `/api/checkin/${npi}`, arrival(), { 'content-type': 'text/plain' });
  // The server may close the connection before all of this is sent.
  const tooLong = { ...arrival(), lastName: `${word('Long')}${'x'.repeat(1_600_000)}` };
  await call('POST', `/api/checkin/${npi}`, tooLong).catch((error: TypeError) =>
    expect(error.message).toBe('fetch failed'),
  );
  await call('GET', `/api/${word('path')}?${word('query')}=${word('value')}`);
  await call('GET', `/api/users/%E0%A4%A${word('escape')}`);
  await call('GET', '/api/session', undefined, { cookie: `anteroom=${word('cookie')}`, 'x-office': word('office') });
  await call('GET', '/api/virtual-queue/doctor', undefined, { authorization: `Bearer ${word('bearer')}` });
  await call('POST', '/api/sms/inbound', {
    providerId: word('SM'),
    from: phone(),
    to: '+12125550150',
    body: word('Forged'),
  });

  // Bugs: PostgreSQL's own messages would quote the row, the value, the statement.
  const bugs: Answer[] = [];
  const broken = async (breakIt: string[], mend: string[], act: () => Promise<Answer>) => {
    await runAsOwner(owner, breakIt);
    for (let i = 0; i < 5; i++) bugs.push(await act());
    await runAsOwner(owner, mend);
  };
  const checkIn = () => call('POST', `/api/checkin/${npi}`, arrival());
  await broken(
    [`alter table visit add constraint no_guests check (first_name not like 'First%') not valid`],
    ['alter table visit drop constraint no_guests'],
    checkIn,
  );
  await broken(
    [
      `create function shout() returns trigger language plpgsql as $$ begin raise exception 'no room for % born %', new.first_name, new.birth_date
       using detail = new.last_name, hint = new.first_name; end $$`,
      'create trigger shout before insert on visit_member for each row execute function shout()',
    ],
    ['drop trigger shout on visit_member', 'drop function shout()'],
    checkIn,
  );
  await broken(
    ['alter table message rename column body to text_body'],
    ['alter table message rename column text_body to body'],
    () => call('POST', `/api/onemd/api/v2/message/${waiting[0]?.patientUserCode}`, { body: word('Lost') }),
  );
  await broken(
    [
      `create function miscount() returns trigger language plpgsql as $$ begin return jsonb_populate_record(new, jsonb_build_object('tries', new.body)); end $$`,
      'create trigger miscount before insert on text for each row execute function miscount()',
    ],
    ['drop trigger miscount on text', 'drop function miscount()'],
    () => call('POST', '/api/appointments/addCheckin', { phone: phone(), text: word('Unsent') }),
  );
  expect(bugs.map(({ status }) => status)).toEqual(bugs.map(() => 500));

  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
    owner,
  );
  await call('POST', `/api/checkin/${npi}`, arrival());

  const output = server.output();
  expect(output.match(/"msg":"unhandled error"/g)?.length ?? 0).toBeGreaterThanOrEqual(bugs.length);
  expect(canaries.length).toBeGreaterThan(300);
  expect(canaries).not.toContain('no link');
  const lines = output.split('\n');
  const found = canaries.filter((text) => lines.some((line) => shows(line, text)));
  expect(found.map((text) => lines.find((line) => shows(line, text)))).toEqual([]);
  process.stdout.write(`logs: ${canaries.length} canaries, ${lines.length} lines, 0 found\n`);
}, 180_000);
