import pg from 'pg';

/** What a restore changes on purpose: sessions end, screens look again, and the audit log says that it was restored and verified. */
const changedByRestore: Record<string, string> = {
  'auth.session': "to_jsonb(t) - 'ended_at'",
  'public.queue_version': "to_jsonb(t) - 'version'",
};
const addedByRestore = "where action not in ('system.restore', 'audit.verify')";

/** The row count and a hash of every table, without what a restore changes on purpose; and the roles; `pg_authid` has their passwords too, but is for superusers. */
export async function hashTables(
  ownerUrl: string,
  roles: 'pg_roles' | 'pg_authid' = 'pg_roles',
): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      // Unlogged tables are caches, which PostgreSQL empties after a crash and leaves out of a copy.
      `select format('%s.%s', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind = 'r' and relpersistence = 'p' and nspname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const hashes = new Map<string, string>();
    for (const { name } of tables) {
      const content = changedByRestore[name] ?? 'to_jsonb(t)';
      const { rows } = await client.query<{ hash: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(h, '' order by h)), '') as hash
         from (select md5((${content})::text) as h from ${name} t ${name === 'public.audit_entry' ? addedByRestore : ''}) x`,
      );
      hashes.set(name, rows[0]?.hash ?? '');
    }
    const { rows: hashed } = await client.query<{ hash: string }>(
      `select count(*) || ' ' || md5(string_agg(a::text, '' order by rolname)) as hash from ${roles} a`,
    );
    return hashes.set('roles', hashed[0]?.hash ?? '');
  } finally {
    await client.end();
  }
}

/** The names whose hashes differ, or that only one side has. */
export const differences = (a: Map<string, string>, b: Map<string, string>): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
