import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';

/** The role of every request: it owns nothing and cannot bypass row-level security. */
export const appRole = 'anteroom_app';

/** Owns the functions that are called before an office is known. */
export const entryPointRole = 'anteroom_door';

/** The login could read or change rows of every office, so the process refuses to work with it. */
export class UnsafeLogin extends Error {
  override readonly name = 'UnsafeLogin';
  readonly code = 'UNSAFE_LOGIN';
}

interface Login {
  login: string;
  /** Whether it is the app's role, or a member that has its rights. */
  isApp: boolean;
  standby: boolean;
  /** What this login, or a role it can become, is allowed to do; null for a safe login. */
  danger: string | null;
  /** Settings of this login that no operator needs; null without such. */
  settings: string[] | null;
  /** Whether the rows are on several nodes (distribute.ts). */
  distributed: boolean;
}

/**
 * Every role may change its own settings (ALTER ROLE … SET), which then apply to all its later connections. None of them shows rows of
 * another office: without BYPASSRLS `row_security = off` makes statements fail, and the security-definer functions set their own search
 * path. But they could break the app or change the meaning of its statements, so only settings of speed and logging are
 * accepted, and time limits of at least a second: with `statement_timeout = 1` no statement would finish. Matches `name=value`, where a
 * number without a unit is milliseconds. A leading zero would make it octal or hexadecimal.
 */
export const harmlessSettings =
  '^((plan_cache_mode|application_name|client_min_messages|work_mem|hash_mem_multiplier|temp_buffers|random_page_cost|seq_page_cost' +
  '|tcp_keepalives_[a-z]+|enable_.*|cpu_.*|effective_.*|jit.*|geqo.*|log_.*|track_.*|auto_explain[.].*)=.*' +
  '|[a-z_]+_timeout=(0|[1-9][0-9]{3,} *(ms)?|[1-9][0-9]* *(s|min|h|d)))$';

/** Settings of this login and of its current role in this database, except the harmless ones. */
const foreignSettings = `
  select array_agg(split_part(setting, '=', 1) order by setting) from pg_db_role_setting s, unnest(s.setconfig) setting
  where s.setrole in (session_user::regrole, current_user::regrole)
    and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and setting !~ '${harmlessSettings}'`;

/**
 * Everything `SET ROLE` and inheritance can reach counts, and the session's login counts as well as the current role: a connection that
 * merely starts as `anteroom_app` can go back to its login.
 */
const inspectLogin = `
  with reachable as (
    select r.* from pg_roles r where pg_has_role(session_user, r.oid, 'member') or pg_has_role(current_user, r.oid, 'member')
  ), dangers as (
    select 1 as rank, 'is a superuser' as danger from pg_roles where rolname in (session_user, current_user) and rolsuper
    union all select 2, 'can become the superuser ' || rolname from reachable where rolsuper
    union all select 3, 'bypasses row-level security' || case when rolname = session_user then '' else ' as ' || rolname end
      from reachable where rolbypassrls
    union all select 4, 'may create roles' from reachable where rolcreaterole
    union all select 5, 'may replicate the whole server' from reachable where rolreplication
    union all select 6, case when rolname = session_user then 'owns tables' else 'can become ' || rolname || ', which owns tables' end
      from reachable r where exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relowner = r.oid and c.relkind in ('r', 'p', 'v', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema')
    union all select 7, 'owns schemas of the database' from reachable r where exists (
      select from pg_namespace where nspowner = r.oid and nspname !~ '^pg_' and nspname <> 'information_schema')
    union all select 8, case when rolname = session_user then 'owns functions' else 'can become ' || rolname || ', which owns functions' end
      from reachable r where exists (select from pg_proc where proowner = r.oid and prosecdef)
  )
  select session_user::text as login, pg_is_in_recovery() as standby,
         exists (select from pg_roles where rolname = '${appRole}' and pg_has_role(current_user, oid, 'usage')) as "isApp",
         (select danger from dangers order by rank, danger limit 1) as danger, (${foreignSettings}) as settings,
         current_setting('citus.propagate_set_commands', true) is not distinct from 'local' as distributed`;

const queryCanceled = '57014';

const distributed = new WeakSet<pg.ClientBase>();

/** Whether an accepted connection leads to a database that several nodes hold. */
export const isDistributed = (client: pg.ClientBase): boolean => distributed.has(client);

/** Accepts a new connection of the app, or throws: a login that could escape row-level security, or a standby that takes no writes. */
export async function acceptConnection(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Login>(inspectLogin).catch((error: { code?: string }) => {
    if (error.code !== queryCanceled) throw error;
    throw new UnsafeLogin(
      'the check of the login of DATABASE_URL was canceled: its statement_timeout is too short. Reset it as the owner ' +
        `(alter role … reset statement_timeout). If nobody set it on purpose, find out who can run statements as this login.`,
    );
  });
  const { login, isApp, standby, danger, settings, distributed: onNodes } = rows[0] as Login;
  if (onNodes) distributed.add(client);
  if (danger !== null)
    throw new UnsafeLogin(
      `the login "${login}" of DATABASE_URL ${danger}, so row-level security would not hold. ` +
        `Give a login that is only ${appRole} as DATABASE_URL, and the owner's login as MIGRATE_DATABASE_URL (docs/operating.md, Logins).`,
    );
  if (!isApp)
    throw new UnsafeLogin(
      `the login "${login}" of DATABASE_URL is neither ${appRole} nor a member of it. ` +
        `Log in as ${appRole}, or run as the owner: grant ${appRole} to "${login}" (docs/operating.md, Logins).`,
    );
  if (settings !== null)
    throw new UnsafeLogin(
      `the login "${login}" of DATABASE_URL has settings that the app cannot work with: ${settings.join(', ')}. ` +
        `Remove them as the owner: ${settings.map((name) => `alter role "${login}" reset ${name}`).join('; ')}. ` +
        `If nobody set them on purpose, find out who can run statements as this login.`,
    );
  if (standby)
    throw Object.assign(new Error('this PostgreSQL is a standby: it takes no writes until it is promoted'), {
      code: '25006',
    });
}

/** Checks once, before the server listens, that the app can work with this login. Throws a message an operator can act on. */
export async function checkAppLogin(url: string, name = 'DATABASE_URL'): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await acceptConnection(client);
  } catch (error) {
    if (!isRefusedLogin(error)) throw error;
    throw new Error(`${name} cannot log in: ${error.message}. docs/operating.md (Logins) has the SQL that makes it.`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function isRefusedLogin(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code?.startsWith('28') === true;
}

/** Makes `anteroom_app` a login with this password; the role must exist. */
export const loginStatement = (password: string) => `alter role ${appRole} login password '${scramVerifier(password)}'`;

/** What PostgreSQL stores for a password (RFC 5803), so that the password itself never appears in a statement or a server log. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const iterations = 4096;
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`;
}
