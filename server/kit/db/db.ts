import { createHash } from 'node:crypto';
import { CamelCasePlugin, Kysely, PostgresDialect, sql, type PostgresPool, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from '#db/tables.ts';
import { isTracing, traceStatement } from '#server/kit/tracing.ts';
import { hintAfterCommit, hintsStatement } from '#server/kit/live/hint.ts';
import { openHintSender, type HintSender } from '#server/kit/live/hint-sender.ts';
import { acceptConnection, isDistributed } from './app-login.ts';

export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, String);

export interface PoolSettings {
  /** Connections at most; 20. */
  max?: number;
  /** Whether statements are prepared under a name (true). pgbouncer before 1.21 shares connections without knowing their names. */
  prepares?: boolean;
}

/**
 * Opens the app's pool: connections of the login in `url`, each inspected before its first use. A lost connection is dropped and
 * replaced without throwing. No startup options: connection poolers drop them (the role's own settings apply instead, see migrate.ts).
 */
export function openPool(url: string, { max = 20, prepares = true }: PoolSettings = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline: true,
    application_name: 'anteroom',
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    onConnect: acceptConnection,
  });
  if (!prepares) pool.on('connect', sendWithoutNames);
  return attachHintSender(ignoreCutConnections(pool));
}

/** The name is dropped at the connection, where every statement passes. */
function sendWithoutNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((config: unknown, ...rest: unknown[]) =>
    query(isNamed(config) ? { ...config, name: undefined } : config, ...rest)) as typeof client.query;
}

const isNamed = (config: unknown): config is { name: string } =>
  typeof config === 'object' && config !== null && 'name' in config && !('submit' in config);

const hintSenders = new WeakMap<PostgresPool | pg.Pool, HintSender>();

/** How many hints of committed transactions on this pool have not been sent yet. */
export const hintBacklog = (pool: pg.Pool): number => hintSenders.get(pool)?.backlog() ?? 0;

/** Sends the hints of committed transactions on this pool; ending it sends those that wait. */
function attachHintSender(pool: pg.Pool): pg.Pool {
  const sender = openHintSender((hints) => pool.query({ name: 'hints', text: hintsStatement, values: [hints] }));
  const end = pool.end.bind(pool);
  hintSenders.set(pool, sender);
  return Object.assign(pool, {
    async end() {
      await sender.close();
      await end();
    },
  });
}

/** A cut connection emits `error` even while its statement is rejected; unhandled, the event would end the process. */
function ignoreCutConnections(pool: pg.Pool): pg.Pool {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** A small pool of the owner's login: migrations, the operator's commands, the demo's offices. */
export function openOwnerPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'anteroom-owner' });
  return ignoreCutConnections(pool);
}

/**
 * Kysely on a pool, camelCase in TypeScript and snake_case in the database. Round trips and planning are most of a short transaction's
 * cost, so statements are prepared under the hash of their text, and on a pipelined pool BEGIN is sent together with the next statement.
 */
export function openDb(pool: pg.Pool): Db {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(isTracing() && {
      log: ({ level, query, queryDurationMillis }) => traceStatement(query.sql, queryDurationMillis, level === 'error'),
    }),
  });
}

const names = new Map<string, string | undefined>();
const preparingClients = new WeakSet<pg.PoolClient>();

function withPreparedStatements(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      if (!preparingClients.has(client)) {
        preparingClients.add(client);
        client.query = preparedQuery(client, hintSenders.get(pool)) as typeof client.query;
      }
      const { release } = client;
      client.release = (error) => release(error || readOnlyClients.has(client));
      return client;
    },
  };
}

/** Connections to a standby: destroyed instead of returned to the pool, so that the next one finds the new primary. */
const readOnlyClients = new WeakSet<pg.PoolClient>();
const readOnlyTransaction = '25006';

function preparedQuery(client: pg.PoolClient, hintSender: HintSender | undefined) {
  const query = noteReadOnlyClients(client, client.query.bind(client));
  /** The hints of the running transaction. */
  let hints: string[] = [];
  return (...args: unknown[]) => {
    const [text, values, callback] = args;
    if (typeof text !== 'string' || !Array.isArray(values) || callback) return query(...args);
    if (text === 'begin') hints = [];
    if (hintSender && text.startsWith(hintAfterCommit)) {
      hints.push(values[0] as string);
      return Promise.resolve({ command: 'SELECT', rowCount: 0, rows: [] });
    }
    if (text === 'commit' && hints.length > 0) return sendAfterCommit(query(text), hintSender, hints);
    if (client.pipeline && (text === 'begin' || text.startsWith(enteringOffice))) {
      // Pipelined: resolve at once. PostgreSQL runs the statements in order; if this one fails it refuses those that follow.
      // (entering-offices.test.ts)
      void (query(text) as Promise<unknown>).catch(() => undefined);
      return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] });
    }
    return values.length === 0 ? query(text) : query({ name: nameOf(text), text, values });
  };
}

/** PostgreSQL answers ROLLBACK to the COMMIT of a transaction in which a statement failed. */
async function sendAfterCommit(commit: unknown, hintSender: HintSender | undefined, hints: string[]) {
  const answer = (await commit) as pg.QueryResult;
  if (answer.command === 'COMMIT') hintSender?.send(hints);
  return answer;
}

function noteReadOnlyClients(client: pg.PoolClient, query: (...args: unknown[]) => unknown) {
  return (...args: unknown[]) => {
    const answer = query(...args);
    if (answer instanceof Promise)
      answer.catch((error: { code?: string }) => {
        if (error.code === readOnlyTransaction) readOnlyClients.add(client);
      });
    return answer;
  };
}

/**
 * All columns of a table, as Kysely writes it. While an older version still runs, a migration may add a column: PostgreSQL then refuses a
 * statement prepared before ("cached plan must not change result type"). Our functions' columns stay, so `select * from door_…()` is safe.
 */
const allColumns = /(?:select|returning|,) (?:"[^"]+"\.)?\*/;

/** The name to prepare a statement under; undefined for one that is planned each time. */
function nameOf(text: string): string | undefined {
  if (names.has(text)) return names.get(text);
  const name = allColumns.test(text.replaceAll(/\* from (?:door|queue)_\w+\(/g, ''))
    ? undefined
    : createHash('sha256').update(text).digest('base64url').slice(0, 24);
  names.set(text, name);
  return name;
}

/** The only way to an office's rows: a transaction in which row-level security shows the rows of that office and no others. */
export function asOffice<T>(db: Db, officeId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await enterOffice(tx, officeId);
    return work(tx);
  });
}

const enteringOffice = 'set local app.office_id = ';

/**
 * From here on the transaction sees the rows of this office and no others. `SET LOCAL` and not `set_config()`, because a distributed
 * PostgreSQL forwards only the former to the nodes that hold the rows.
 *
 * Await it before the next statement. On a pipelined connection the wait ends as soon as the statement is on its way, so it costs no
 * round trip; PostgreSQL runs the statements of a connection in the order they were sent. A transaction starts without an office, so a
 * statement that did get ahead would see no rows, and one behind a failed `SET LOCAL` is refused (entering-offices.test.ts).
 */
export async function enterOffice(tx: Tx, officeId: string): Promise<void> {
  if (!/^[0-9a-f-]{36}$/i.test(officeId)) throw new Error('the id of an office is not a UUID');
  await sql.raw(`${enteringOffice}'${officeId}'`).execute(tx);
}

/**
 * One statement that enters an office by itself. On one machine it needs no transaction around it. On several, a node learns the office only
 * from a transaction.
 */
export async function queryEnteringOffice<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await (isDistributed(client) ? inTransaction<Row>(client, statement) : client.query<Row>(statement));
  } catch (error) {
    throw (failure = error as Error);
  } finally {
    // As `pool.query` does it: a connection whose statement failed is not used again.
    client.release(failure);
  }
}

async function inTransaction<Row extends pg.QueryResultRow>(client: pg.PoolClient, statement: pg.QueryConfig) {
  const [begun, answer, committed] = await Promise.allSettled([
    client.query('begin'),
    client.query<Row>(statement),
    client.query('commit'),
  ]);
  for (const step of [begun, answer, committed]) if (step.status === 'rejected') throw step.reason;
  return (answer as PromiseFulfilledResult<pg.QueryResult<Row>>).value;
}

const loaded = new WeakMap<object, Map<string, unknown>>();

/** Loads a value once per transaction and caches it under `key`. For rows that this transaction does not change. */
export function loadOncePerTransaction<T>(tx: Tx, key: string, load: () => Promise<T>): Promise<T> {
  let cache = loaded.get(tx);
  if (!cache) loaded.set(tx, (cache = new Map()));
  if (!cache.has(key)) cache.set(key, load());
  return cache.get(key) as Promise<T>;
}

/**
 * Whether this constraint or unique index refused the row. A distributed PostgreSQL appends a shard number to the name, and passes the
 * name on in the message only.
 */
export function isViolationOf(error: unknown, constraint: string): boolean {
  const { code, constraint: named, message = '' } = error as { code?: string; constraint?: string; message?: string };
  const name = named ?? (code === '23505' ? /"([^"]+)"$/.exec(message)?.[1] : undefined) ?? '';
  return name === constraint || (name.startsWith(`${constraint}_`) && /^\d+$/.test(name.slice(constraint.length + 1)));
}

/** Whether PostgreSQL gave up this transaction for another's sake, a deadlock or a serialization failure: nothing is done, and the caller may retry. */
export function isAbortedByOthers(error: unknown): boolean {
  return error instanceof Error && /^(40001|40P01)$/.test((error as { code?: string }).code ?? '');
}

/** Whether the error means that the database is unavailable; answered with 503 and Retry-After. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as { code?: string; syscall?: string };
  return (
    (code === 'ENOENT' && syscall === 'connect') || // the socket file is missing
    /^(57P0[1-5]|08\w{3}|53300|25006|UNSAFE_LOGIN|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/.test(
      code,
    ) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  );
}
