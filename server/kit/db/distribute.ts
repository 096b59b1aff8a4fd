import pg from 'pg';
import { appRole, entryPointRole } from './app-login.ts';
import { markDistribution, unmarkDistribution } from './distribution-marker.ts';

interface DistributeOptions {
  /** How many parts the tables are cut into; each office is in one. Citus spreads them over its nodes. */
  shards?: number;
  say?: (line: string) => void;
}

/** What becomes of a table on several machines; derived from the catalog, so that a new table needs no entry in a list. */
export type TableLocation = 'by office' | 'everywhere' | 'coordinator';

export interface TableOnNodes {
  name: string;
  place: TableLocation;
  /** Whether Citus already keeps it like this. */
  done: boolean;
}

/**
 * - by office: `office`, and every table of the schema `public` with an `office_id`. An office's rows are together on one node.
 * - everywhere: a table of no office that a view combines with rows of offices. Every node has all its rows.
 * - coordinator: all others (people, sessions, the office directory, the sandboxes of the local providers).
 *
 * Parents come before the tables that refer to them.
 */
export const placesOfTables = `
  with recursive tables as (
    select c.oid, c.oid::regclass::text as name,
           c.relnamespace = 'public'::regnamespace and (c.relname = 'office' or exists (
             select from pg_attribute a where a.attrelid = c.oid and a.attname = 'office_id' and not a.attisdropped)) as of_office
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'citus', 'citus_internal', 'columnar', 'columnar_internal')
  ), viewed as (
    select distinct r.ev_class as view, t.*
    from pg_rewrite r
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
    join tables t on t.oid = d.refobjid
  ), depth as (
    select oid, 0 as level from tables where of_office
    union
    select k.conrelid, d.level + 1
    from depth d join pg_constraint k on k.confrelid = d.oid and k.contype = 'f' and k.conrelid <> k.confrelid and d.level < 20
  )
  select t.name, case
      when t.of_office then 'by office'
      when exists (select from viewed v join viewed o on o.view = v.view and o.of_office where v.oid = t.oid) then 'everywhere'
      else 'coordinator'
    end as place
  from tables t left join depth d on d.oid = t.oid
  group by t.oid, t.name, t.of_office
  order by t.name <> 'office', max(d.level), t.name`;

const onOwner = async <T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'anteroom-owner' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

async function hasCitus(client: pg.ClientBase): Promise<boolean> {
  return (await client.query("select from pg_extension where extname = 'citus'")).rowCount === 1;
}

/** After a migration of a database with Citus: new tables follow those that are distributed. Does nothing before `distribute`. */
export function distributeNewTables(ownerUrl: string, { say }: Pick<DistributeOptions, 'say'> = {}): Promise<void> {
  return onOwner(ownerUrl, async (client) => {
    const known = await client.query(`select from pg_dist_partition where logicalrelid = to_regclass('public.office')`);
    if (known.rowCount === 1) await distributeTables(client, { say });
  });
}

/**
 * Turns a migrated database into one that several machines hold: the database at `ownerUrl` has the extension `citus` and knows its
 * workers. Rows are moved in place, table by table; a table that is distributed already is left alone, so it may be run again after an
 * interruption or a migration. No server may run meanwhile, and none starts before it has ended.
 */
export function distribute(ownerUrl: string, options: DistributeOptions = {}): Promise<TableOnNodes[]> {
  return onOwner(ownerUrl, async (client) => {
    if (!(await hasCitus(client)))
      throw new Error('this database has no extension citus. docs/growing.md (From 4 to 5) says how to prepare it.');
    await expectSameText(client);
    await expectNoServers(client);
    await expectAllRows(client);
    await changeSettings(client);
    const wasInterrupted = await keepServersAway(client);
    await distributeTables(client, options).catch(async (error: unknown) => {
      if (!wasInterrupted) await letServersStart(client).catch(() => undefined);
      throw error;
    });
    await unmarkDistribution(client);
    return placesNow(client);
  });
}

/** A database with another encoding takes other letters, and one with another collation sorts names in another order. */
async function expectSameText(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ host: string; port: number; text: string; own: string }>(`
    with answers as (
      select n.nodename, n.nodeport, n.groupid, r.result as text
      from run_command_on_all_nodes($$
        select concat_ws(' ', pg_encoding_to_char(encoding), datlocprovider, datlocale, datcollate, datctype)
        from pg_database where datname = current_database()
      $$) r
      join pg_dist_node n using (nodeid)
    )
    select a.nodename as host, a.nodeport as port, a.text, own.text as own
    from answers a join answers own on own.groupid = 0 where a.text <> own.text order by 1, 2`);
  const [other] = rows;
  if (!other) return;
  throw new Error(
    `${other.host}:${other.port} writes and sorts text in another way (${other.text}) than the coordinator (${other.own}). Nothing was moved. ` +
      `On the coordinator: select citus_remove_node('${other.host}', ${other.port}). Then make its database again with the coordinator's encoding ` +
      'and locale, as docs/growing.md (From 4 to 5) says, and add it again.',
  );
}

/**
 * A connection from before does not tell the other nodes which office it entered, so its reads would find nothing, and a job could act on
 * that. Superusers and the owner are not the app, although they may have its rights.
 */
async function expectNoServers(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
     where a.datname = current_database() and not r.rolsuper and r.rolname not in (session_user, current_user)
       and pg_has_role(r.oid, $1, 'member')`,
    [appRole],
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  throw new Error(
    `${count} connection${count === 1 ? '' : 's'} of the app ${count === 1 ? 'is' : 'are'} open. Nothing was moved. ` +
      'Stop the servers, and pgbouncer, which keeps their connections; then run it again.',
  );
}

/** A server that started after the first look is seen now, and a later one sees the marker. Returns true if an earlier run was interrupted. */
async function keepServersAway(client: pg.ClientBase): Promise<boolean> {
  const wasInterrupted = await markDistribution(client);
  await expectNoServers(client).catch(async (error: unknown) => {
    if (!wasInterrupted) await unmarkDistribution(client);
    throw error;
  });
  return wasInterrupted;
}

/**
 * After a failure: nothing was moved, so servers miss no rows. It needs the connection that failed: where that is lost, its statement may still
 * be moving rows, and the marker stays.
 */
async function letServersStart(client: pg.ClientBase): Promise<void> {
  const tables = await placesNow(client);
  if (!tables.some(({ done }) => done)) await unmarkDistribution(client);
}

/** Row-level security binds an owner without BYPASSRLS as well: Citus then refuses to copy the rows. */
async function expectAllRows(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; all: boolean }>(
    'select quote_ident(rolname) as name, rolsuper or rolbypassrls as all from pg_roles where rolname = current_user',
  );
  if (rows[0]?.all) return;
  throw new Error(
    `The owner's login cannot read all practices' rows, because row-level security restricts it. Nothing was moved. ` +
      `As a superuser on each node, then again: alter role ${rows[0]?.name} bypassrls`,
  );
}

const mayNot = '42501';

/** An owner who may not change the roles needs an administrator to do it first; then this changes nothing. */
async function changeSettings(client: pg.ClientBase): Promise<void> {
  try {
    await client.query(distributionSettings);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== mayNot) throw error;
    const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
    throw new Error(
      `${message}. The owner's login may not change the roles. Nothing was moved. As a superuser, then again: ` +
        `alter role ${entryPointRole} login; alter role ${appRole} in database ${rows[0]?.name} set plan_cache_mode = auto`,
      { cause: error },
    );
  }
}

async function distributeTables(client: pg.ClientBase, { shards = 32, say = () => undefined }: DistributeOptions) {
  for (const { name, place, done } of await placesNow(client)) {
    if (done || place === 'coordinator') continue;
    say(`Distributing ${name}: ${place}`);
    if (place === 'everywhere') await shareTable(client, name);
    else if (name === 'office')
      await client.query(`select create_distributed_table($1, 'id', shard_count => $2, colocate_with => 'none')`, [
        name,
        shards,
      ]);
    else await client.query(`select create_distributed_table($1, 'office_id', colocate_with => 'office')`, [name]);
  }
  await emptyMovedTables(client);
}

/**
 * Citus copies the rows and keeps the originals on the coordinator, where no statement sees them. There a deleted patient would stay for
 * ever, and the disk would stay full. It refuses while a table that refers to this one is not distributed.
 */
async function emptyMovedTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select logicalrelid::regclass::text as name from pg_dist_partition where pg_relation_size(logicalrelid) > 0',
  );
  for (const { name } of rows) await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
}

/**
 * The nodes whose logs would show patients, with the settings to change. The coordinator sends a statement to its node with values in place
 * of parameters, and PostgreSQL writes a failed statement into the log.
 */
export function nodesThatLogRows(ownerUrl: string): Promise<{ node: string; settings: string }[]> {
  return onOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ node: string; settings: string }>(`
      select n.nodename || ':' || n.nodeport as node, r.result as settings
      from run_command_on_all_nodes($$
        select string_agg(format('%s = %s', name, setting), ', ' order by name) from pg_settings
        where name = 'log_min_error_statement' and setting not in ('fatal', 'panic') or name = 'log_error_verbosity' and setting <> 'terse'
          or name = 'log_statement' and setting not in ('none', 'ddl') or name = 'log_min_duration_statement' and setting <> '-1'
      $$) r
      join pg_dist_node n using (nodeid)
      where r.result <> ''
      order by 1`);
    return rows;
  });
}

/** To insert a row, the app locks the table on the other nodes, and that takes the right to update it. */
async function shareTable(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('select create_reference_table($1)', [name]);
  await client.query(`
    do $$ begin
      if has_table_privilege('${appRole}', '${name}', 'insert') then grant update on ${name} to ${appRole}; end if;
    end $$`);
}

async function placesNow(client: pg.ClientBase): Promise<TableOnNodes[]> {
  const { rows: tables } = await client.query<Omit<TableOnNodes, 'done'>>(placesOfTables);
  const known = await client.query<{ name: string }>(
    'select logicalrelid::regclass::text as name from pg_dist_partition',
  );
  const done = new Set(known.rows.map(({ name }) => name));
  return tables.map((table) => ({ ...table, done: done.has(table.name) }));
}

/**
 * Settings of the database and of roles, which a copy of the database lacks. The nodes that hold the rows need the office that a transaction
 * has entered; a statement with values instead of parameters has one shard; and both roles are logins, because the coordinator calls the
 * other nodes as the role that a statement runs as.
 */
export const distributionSettings = `
  do $$ begin
    execute format('alter database %I set citus.propagate_set_commands = %L', current_database(), 'local');
    if not exists (
      select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where s.setrole = '${appRole}'::regrole and d.datname = current_database() and 'plan_cache_mode=auto' = any(s.setconfig)
    ) then
      execute format('alter role ${appRole} in database %I set plan_cache_mode = auto', current_database());
    end if;
    if exists (select from pg_roles where rolname = '${entryPointRole}' and not rolcanlogin) then
      alter role ${entryPointRole} login;
    end if;
  end $$`;

const onNodes = (statements: string) => `
  do $$ declare look_up regprocedure; begin
    if to_regclass('pg_catalog.pg_dist_partition') is null then return; end if;
    if not exists (select from pg_dist_partition) then return; end if;
    ${statements}
  end $$`;

/**
 * Around a migration. Citus makes a function that is replaced on the other nodes too, and gives it to its owner there, who needs the right
 * to create it. It leaves out who may call it, so everybody could. Both do nothing on one machine.
 */
export const beforeMigration = onNodes(`grant create on schema public to ${entryPointRole};`);
export const afterMigration = onNodes(`
    for look_up in
      select p.oid from pg_proc p join pg_dist_object d on d.classid = 'pg_proc'::regclass and d.objid = p.oid where p.prosecdef
    loop
      execute format('revoke all on function %s from public', look_up);
      execute format('grant execute on function %s to ${appRole}', look_up);
    end loop;
    revoke create on schema public from ${entryPointRole};`);
