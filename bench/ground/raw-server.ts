import { createServer } from 'node:http';
import pg from 'pg';
import { hashToken } from '#server/kit/crypto/secret.ts';

/**
 * The peer: raw node:http + pg, one equal SELECT json_agg, the same audit INSERT, and the string sent unchanged. No session, no row-level
 * security, no contract: the difference is what the app adds. `/reread` is the whole queue as each panel read it after a hint, before there
 * were changes to read: with session, row-level security and entry, from the database each time.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const { OFFICE_ID: officeId, PERSON_ID: personId, DAY: day, PORT: port, TOKEN: token = '' } = process.env;

const statement = {
  name: 'queue',
  text: `with recorded as (
      insert into audit_entry (office_id, at, actor, actor_id, action, subject, request_id)
      values ($1, now(), 'staff', $2, 'queue.read', $4, $3)
    )
    select coalesce(json_agg(e.entry order by e.created_at, e.id), '[]')::text as body
    from queue_entry e where e.office_id = $1 and e.day = $4::date and e.status <> 'EXPECTED'`,
};

/** The answer that the app has put together once, read as it is. */
const cachedStatement = {
  name: 'cached',
  text: 'select body from queue_answer where office_id = $1 and id = $2::date',
};

const rereadStatement = {
  name: 'reread',
  text: 'select body from queue_reply($1, $2, now(), null, true, true, null, $3)',
};

const queryFor = (url: string | undefined) =>
  url === '/cached'
    ? { ...cachedStatement, values: [officeId, day] }
    : url === '/reread'
      ? { ...rereadStatement, values: [hashToken(token), officeId, crypto.randomUUID()] }
      : { ...statement, values: [officeId, personId, crypto.randomUUID(), day] };

createServer((req, res) => {
  if (req.url === '/') return void res.end('ready');
  pool.query<{ body: string }>(queryFor(req.url)).then(
    ({ rows }) => {
      res.setHeader('content-type', 'application/json; charset=utf-8');
      res.end(rows[0]?.body);
    },
    () => {
      res.statusCode = 500;
      res.end();
    },
  );
}).listen(Number(port), '127.0.0.1');
