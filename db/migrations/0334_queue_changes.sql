-- Which visits the last changes of a day's queue concern (docs/decisions/0086), so that a panel can ask for those only.
-- `recent` ends with the visit of version `tracked_version`, then the one before it, and so on. If `version` differs from
-- `tracked_version`, somebody raised it without naming visits (an older process, a migration, a restore), and `recent` means nothing.
alter table queue_version add column tracked_version bigint not null default 0, add column recent uuid[] not null default '{}';

-- Today's queue since a version that the caller has: the visits that changed, and the ids of those that the queue no longer shows. The whole
-- queue if that version is unknown or too old. Statuses as of queue_reply.
create function queue_changes(
  p_token_hash bytea, p_office text, p_now timestamptz, p_since text, p_etag text, p_request_id text
) returns table (status int, etag text, body text)
language plpgsql volatile as $$
declare
  caller record;
  today date;
  prefix text;
  the_version bigint;
  since bigint;
  changes record;
  whole record;
begin
  select * into caller from door_session(p_token_hash, p_office, p_now);
  if caller.session_id is null then return query select 401, null::text, null::text; return; end if;
  if caller.locked_at is not null
    or (caller.kind = 'cookie' and caller.active_at + make_interval(mins => caller.lock_minutes) <= p_now) then
    return query select 423, null::text, null::text; return;
  end if;
  if caller.office_id is null then
    return query select case when p_office is not null and caller.member_of > 0 then 404 else 403 end, 'no_office'::text, null::text; return;
  end if;
  if caller.agreement_signed_at is null then return query select 403, 'agreement_missing'::text, null::text; return; end if;
  if caller.authenticator_missing then return query select 403, 'authenticator_missing'::text, null::text; return; end if;

  execute format('set local app.office_id = %L', caller.office_id);
  today := (p_now at time zone caller.office_time_zone)::date;
  prefix := format('%s-%s-', caller.office_id, today);
  select q.version into the_version from queue_version q where q.office_id = caller.office_id and q.id = today;
  etag := format('"%s%scd"', prefix, coalesce(the_version, 0));
  if etag = p_etag then return query select 304, etag, null::text; return; end if;

  if p_since ~ ('^' || prefix || '\d{1,18}cd$') then
    since := rtrim(substr(p_since, length(prefix) + 1), 'cd')::bigint;
  end if;
  if since = coalesce(the_version, 0) then
    return query select 200, etag, format('{"version":%s,"isWhole":false,"visits":[],"after":{},"removed":[]}', to_json(trim(etag, '"')));
    return;
  end if;

  -- One statement, so that all rows are of the version it reads: the visit before each one is known to the caller, or in the same answer.
  select q.version, changed.* into changes
  from queue_version q
  cross join lateral (
    select coalesce(json_agg(c.entry order by c.created_at, c.id) filter (where c.entry is not null), '[]') as visits,
           coalesce(json_object_agg(c.id, c.after) filter (where c.entry is not null), '{}') as after,
           coalesce(json_agg(c.id) filter (where c.entry is null), '[]') as removed
    from (
      select r.id, e.created_at, e.entry, (
        select b.id from visit b
        where b.office_id = caller.office_id and b.day = today and b.status <> 'EXPECTED' and b.arrived_at is not null
          and (b.created_at, b.id) < (e.created_at, e.id)
        order by b.created_at desc, b.id desc limit 1
      ) as after
      from (select distinct unnest(q.recent[cardinality(q.recent) - (q.version - since)::int + 1:]) as id) r
      left join lateral (
        select e.id, e.created_at, e.entry from queue_entry e
        where e.office_id = caller.office_id and e.id = r.id and e.day = today and e.status <> 'EXPECTED' and e.arrived_at is not null
        offset 0
      ) e on true
    ) c
  ) changed
  where q.office_id = caller.office_id and q.id = today and q.tracked_version = q.version
    and q.version - since between 1 and cardinality(q.recent);

  -- No version at all, too old a one, or one that the day has not reached yet.
  if not found then
    select * into whole from queue_reply(p_token_hash, p_office, p_now, null, true, true, null, p_request_id);
    etag := whole.etag;
    body := format('{"version":%s,"isWhole":true,"visits":%s,"after":{},"removed":[]}', to_json(trim(etag, '"')), whole.body);
    return query select whole.status, etag, case when whole.status = 200 then body end;
    return;
  end if;

  insert into audit_entry (office_id, at, actor, actor_id, action, subject, request_id)
  values (caller.office_id, p_now, 'staff', caller.person_id, 'queue.read', today::text, p_request_id);
  etag := format('"%s%scd"', prefix, changes.version);
  return query select 200, etag, format('{"version":%s,"isWhole":false,"visits":%s,"after":%s,"removed":%s}',
    to_json(trim(etag, '"')), changes.visits, changes.after, changes.removed);
end $$;
grant execute on function queue_changes to anteroom_app;
