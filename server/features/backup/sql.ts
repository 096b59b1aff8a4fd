import { ownLinkPattern } from '#server/features/texting/index.ts';
import { appRole, entryPointRole } from '#server/kit/db/app-login.ts';
import { runStatement } from './run-statement.ts';

/** A job never runs if its row is claimed until then. */
const never = '9999-12-31T00:00:00Z';

/** The login of a URL, and whether it may read and write the rows of all practices. */
export async function loginOf(url: string): Promise<{ name: string; readsAllRows: boolean } | undefined> {
  const [login] = await runStatement<{ name: string; readsAllRows: boolean }>(
    url,
    'select rolname as name, rolsuper or rolbypassrls as "readsAllRows" from pg_roles where rolname = current_user',
  );
  return login;
}

/** Whether the database has tables of this program. */
export async function hasTables(url: string): Promise<boolean> {
  const [tables] = await runStatement<{ found: boolean }>(
    url,
    "select to_regclass('public.schema_migration') is not null and to_regclass('public.office') is not null as found",
  );
  return tables?.found ?? false;
}

/** Whether tables of the database are spread over the nodes of a Citus cluster. */
export async function hasDistributedTables(url: string): Promise<boolean> {
  const [citus] = await runStatement<{ found: boolean }>(
    url,
    "select to_regclass('pg_catalog.pg_dist_partition') is not null as found",
  );
  if (!citus?.found) return false;
  return (await runStatement(url, 'select from pg_dist_partition limit 1')).length > 0;
}

/** What a backup says about its database. */
export async function databaseFacts(url: string) {
  const [row] = await runStatement<{
    postgres: string;
    versionNumber: string;
    schema: string;
    owner: string;
    offices: number;
    newestAuditEntry: Date | null;
  }>(
    url,
    `select current_setting('server_version') as postgres, current_setting('server_version_num') as "versionNumber",
       (select max(name) from schema_migration) as schema,
       (select pg_get_userbyid(relowner)::text from pg_class where oid = 'public.office'::regclass) as owner,
       (select count(*)::int from office) as offices, (select max(at) from audit_entry) as "newestAuditEntry"`,
  );
  if (!row) throw new Error('PostgreSQL answered without a row');
  return row;
}

/** What a restore must know about the database it is to fill. Tables of extensions do not count: a database of Citus has them from the start. */
export async function targetFacts(url: string, owner: string) {
  const [target] = await runStatement<{ tables: number; major: number; login: string; isOwner: boolean }>(
    url,
    `select (select count(*)::int from pg_class c
       where c.relkind in ('r', 'p') and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
         and not exists (
           select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')) as tables,
       current_setting('server_version_num')::int / 10000 as major, current_user as login,
       exists (select from pg_roles where rolname = $1 and pg_has_role(current_user, oid, 'member')) as "isOwner"`,
    [owner],
  );
  if (!target) throw new Error('PostgreSQL answered without a row');
  return target;
}

/** Lets the owner of the entry points create in their schema. A new owner of a function must be allowed to, as in the migrations. */
export const allowEntryPoints = (url: string) =>
  runStatement(url, `grant create on schema public to ${entryPointRole}`);

export const disallowEntryPoints = (url: string) =>
  runStatement(url, `revoke create on schema public from ${entryPointRole}`);

/** How many connections of servers are open. Superusers and the owner are not the app, although they may have its rights. */
export async function countServerConnections(url: string): Promise<number> {
  const [open] = await runStatement<{ count: number }>(
    url,
    `select count(*)::int as count from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
     where a.datname = current_database() and not r.rolsuper and r.rolname not in (session_user, current_user)
       and pg_has_role(r.oid, $1, 'member')`,
    [appRole],
  );
  return open?.count ?? 0;
}

/** Ends every session; returns how many. */
export async function endSessions(url: string): Promise<number> {
  return countChanged(url, 'update auth.session set ended_at = now() where ended_at is null returning 1');
}

/** Raises every queue's version above all that screens have seen. */
export async function raiseQueueVersions(url: string): Promise<void> {
  await runStatement(url, 'update queue_version set version = version + 1000000');
}

/** Writes into each practice's audit log that a backup of that time was restored. */
export async function auditRestore(url: string, backupOf: string): Promise<void> {
  await runStatement(
    url,
    `insert into audit_entry (office_id, at, actor, action, outcome, details)
     select id, now(), 'operator', 'system.restore', 'done', $1::jsonb from office`,
    [JSON.stringify({ backupOf })],
  );
}

/** Holds queued texts. `texts release` finds them by their missing error class. They keep their links, which must not outlive the others. */
export async function holdQueuedTexts(url: string): Promise<number> {
  return countChanged(url, "update text set state = 'held', error_class = null where state = 'queued' returning 1");
}

export async function forgetTextsBeingSent(url: string): Promise<void> {
  await runStatement(
    url,
    `update text set state = 'unknown', lease_until = null, sealed_link = null,
       body = case when kind = 'message' then body else regexp_replace(body, $1, '{link}', 'g') end
     where state = 'sending'`,
    [ownLinkPattern],
  );
}

export async function stopAutoInvites(url: string): Promise<void> {
  await runStatement(url, 'update visit set auto_invite_at = null where auto_invite_at is not null');
}

export async function dropPushes(url: string): Promise<void> {
  await runStatement(
    url,
    'update push_subscription set due_at = null, retry_at = null, lease_until = null where due_at is not null',
  );
}

export async function doubtRecordings(url: string): Promise<number> {
  return countChanged(
    url,
    "update payment_recording set state = 'unknown', check_at = null where state in ('due', 'sending') returning 1",
  );
}

export async function claimDemoRequests(url: string): Promise<number> {
  return countChanged(url, 'update demo_request set taken_until = $1 where mailed_at is null returning 1', [never]);
}

export async function claimNpiClaims(url: string): Promise<number> {
  return countChanged(
    url,
    `update auth.npi_claim set taken_until = $1
     where operator_mailed_at is null or (asked_at is not null and office_mailed_at is null) returning 1`,
    [never],
  );
}

export async function claimConfirmations(url: string): Promise<number> {
  return countChanged(
    url,
    `update office_confirmation c set claimed_until = $1 from office o
     where o.id = c.office_id and c.operator_mailed_at is null and o.confirmed_at is null and o.agreement_signed_at is not null returning 1`,
    [never],
  );
}

/** Closes reminders that were being sent, and the next one of each practice that has not signed for five days. The job's own lookup is in 0030. */
export async function closeReminders(url: string): Promise<number> {
  return countChanged(
    url,
    `insert into agreement_reminder (office_id, id, number, to_email, claimed_at, lease_until, failed_at)
     select o.id, gen_random_uuid(), r.closed + 1, coalesce(o.email, ''), now(), now(), now()
     from office o cross join lateral (
       select count(*) filter (where sent_at is not null or failed_at is not null)::int as closed
       from agreement_reminder x where x.office_id = o.id
     ) r
     where o.agreement_signed_at is null and (
       o.created_at <= now() - interval '5 days'
       or exists (select from agreement_reminder x where x.office_id = o.id and x.sent_at is null and x.failed_at is null))
     on conflict (office_id, number) do update set failed_at = excluded.failed_at
     returning 1`,
  );
}

async function countChanged(url: string, statement: string, values?: unknown[]): Promise<number> {
  return (await runStatement(url, statement, values)).length;
}
