import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';

/**
 * The peer of the mixed load: raw node:http + pg, the same rows written and read in the same transactions by prepared statements. No
 * session, no row-level security, no contract, no limits.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const { PERSON_ID: personId, DAY: day, PORT: port } = process.env;

const sql = {
  version: 'select version from queue_version where office_id = $1 and id = $2',
  queue: `with recorded as (
      insert into audit_entry (office_id, at, actor, actor_id, action, subject, request_id) values ($1, now(), 'staff', $3, 'queue.read', $2, $4)
    )
    select coalesce(json_agg(e.entry order by e.created_at, e.id), '[]')::text as body
    from queue_entry e where e.office_id = $1 and e.day = $2::date and e.status <> 'EXPECTED'`,
  officeOf: 'select office_id from office_npi where npi = $1',
  running: 'select id from visit where office_id = $1 and day = $2 and phone = $3 and ended_at is null for update',
  patient: `insert into patient (office_id, id, user_code, phone, first_name, last_name, birth_date, created_at)
    values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, now())
    on conflict (office_id, phone) do update set first_name = excluded.first_name returning id`,
  visit: `insert into visit (office_id, id, patient_id, day, status, phone, first_name, last_name, created_at, arrived_at, status_at)
    values ($1, gen_random_uuid(), $2, $3, 'WAITING', $4, $5, $6, now(), now(), now()) returning id`,
  member:
    'insert into visit_member (office_id, id, visit_id, position, first_name, last_name, birth_date) values ($1, gen_random_uuid(), $2, 0, $3, $4, $5)',
  event:
    'insert into visit_event (office_id, id, visit_id, at, move, to_status, actor, version) values ($1, gen_random_uuid(), $2, now(), $3, $4, $5, $6)',
  token:
    "insert into visit_token (office_id, id, visit_id, token_hash, created_at, expires_at) values ($1, gen_random_uuid(), $2, sha256($3::bytea), now(), now() + interval '3 days')",
  bump: 'insert into queue_version (office_id, id, version) values ($1, $2, 1) on conflict (office_id, id) do update set version = queue_version.version + 1',
  audit:
    "insert into audit_entry (office_id, at, actor, actor_id, action, subject, request_id) values ($1, now(), 'staff', $2, $3, $4, $5)",
  notify: "select pg_notify('bench', $1)",
  lock: 'select * from visit where office_id = $1 and id = $2 for update',
  invite:
    "update visit set status = 'INVITED', version = version + 1, status_at = now(), invited_at = now() where office_id = $1 and id = $2",
  text: `insert into text (office_id, id, kind, visit_id, from_phone, to_phone, body, send_at, created_at)
    select $1, gen_random_uuid(), 'message', $2, '+13125550000', $3, $4, now() + interval '1 day', now()`,
  message: `insert into message (office_id, id, visit_id, conversation_id, sequence, at, sender, kind, body)
    select $1, gen_random_uuid(), $2, c.conversation_id, c.sequence, now(), 'doctor', 'message', $4
    from place_message($1, gen_random_uuid(), $3, now(), 'doctor', $4, null, false, null) c`,
  entry: 'select entry from queue_entry where office_id = $1 and id = $2',
  newest:
    'select v.id from visit v join patient p on p.office_id = v.office_id and p.id = v.patient_id where v.office_id = $1 and p.user_code = $2 order by v.created_at desc limit 1',
};
type RunStatement = (name: keyof typeof sql, ...values: unknown[]) => Promise<Record<string, unknown>[]>;

async function transaction<T>(work: (run: RunStatement) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const done = await work(
      async (name, ...values) =>
        (await client.query({ name, text: sql[name], values })).rows as Record<string, unknown>[],
    );
    await client.query('commit');
    return done;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const one = async (name: keyof typeof sql, ...values: unknown[]) =>
  (await pool.query({ name, text: sql[name], values })).rows[0] as Record<string, unknown> | undefined;
const finish = async (run: RunStatement, officeId: string, visitId: unknown, action: string) => {
  await run('bump', officeId, day);
  await run('audit', officeId, personId, action, visitId, crypto.randomUUID());
  await run('notify', JSON.stringify({ office: officeId, visit: visitId }));
};

async function answerRequest(req: IncomingMessage): Promise<{ status: number; body: string; etag?: string }> {
  const officeId = String(req.headers['x-office'] ?? '');
  const path = req.url ?? '';
  if (req.method === 'GET') {
    if (path === '/') return { status: 200, body: 'ready' };
    const etag = `"${String((await one('version', officeId, day))?.version ?? 0)}"`;
    if (req.headers['if-none-match'] === etag) return { status: 304, body: '', etag };
    return {
      status: 200,
      body: String((await one('queue', officeId, day, personId, crypto.randomUUID()))?.body),
      etag,
    };
  }
  const body = JSON.parse(await read(req)) as Record<string, string>;
  if (path.startsWith('/api/checkin/')) {
    const office = String((await one('officeOf', path.slice('/api/checkin/'.length)))?.office_id);
    const token = crypto.randomUUID();
    await transaction(async (run) => {
      await run('running', office, day, body.phone);
      const [patient] = await run(
        'patient',
        office,
        token.slice(0, 16),
        body.phone,
        body.firstName,
        body.lastName,
        body.birthDate,
      );
      const [visit] = await run('visit', office, patient?.id, day, body.phone, body.firstName, body.lastName);
      await run('member', office, visit?.id, body.firstName, body.lastName, body.birthDate);
      await run('event', office, visit?.id, 'arrive', 'WAITING', 'patient', 1);
      await run('token', office, visit?.id, token);
      await finish(run, office, visit?.id, 'visit.arrive');
    });
    return { status: 200, body: JSON.stringify({ outcome: 'visit', token }) };
  }
  if (path === '/api/virtual-queue/') {
    return transaction(async (run) => {
      const [visit] = await run('lock', officeId, body.id);
      if (visit?.status !== 'WAITING') return { status: 409, body: '{}' };
      await run('invite', officeId, body.id);
      await run('event', officeId, body.id, 'invite', 'INVITED', 'staff', 2);
      await run('token', officeId, body.id, crypto.randomUUID());
      await run('text', officeId, body.id, visit.phone, 'Please come in now.');
      await run('message', officeId, body.id, visit.phone, 'Please come in now.');
      await finish(run, officeId, body.id, 'visit.move');
      return { status: 200, body: JSON.stringify((await run('entry', officeId, body.id))[0]?.entry) };
    });
  }
  return transaction(async (run) => {
    const [found] = await run('newest', officeId, path.split('/').at(-1));
    const [visit] = await run('lock', officeId, found?.id);
    await run('text', officeId, visit?.id, visit?.phone, body.body);
    await run('message', officeId, visit?.id, visit?.phone, body.body);
    await finish(run, officeId, visit?.id, 'message.send');
    return { status: 200, body: JSON.stringify({ id: visit?.id, body: body.body }) };
  });
}

async function read(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}

createServer((req, res) => {
  answerRequest(req).then(
    ({ status, body, etag }) => {
      res.statusCode = status;
      if (etag) res.setHeader('etag', etag);
      res.setHeader('content-type', 'application/json; charset=utf-8');
      res.end(body);
    },
    () => {
      res.statusCode = 500;
      res.end();
    },
  );
}).listen(Number(port), '127.0.0.1');
