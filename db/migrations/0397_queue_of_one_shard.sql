-- The rows of the queue for one office, with the office named in each part of the statement: a distributed PostgreSQL then asks one shard.
-- Both functions are made from the view `queue_entry`. Whoever changes the view calls `make_queue_functions()` after it.
create function make_queue_functions() returns void language plpgsql as $make$
declare
  rows text := regexp_replace(rtrim(pg_get_viewdef('queue_entry'::regclass), ';'), '= (v|y|k)\.office_id\)', '= p_office)', 'g');
begin
  execute format($queue$
    -- Of one day; or these visits, of any day if `p_day` is null.
    create or replace function queue_entries(p_office uuid, p_day date, p_ids uuid[])
    returns table (id uuid, day date, status text, created_at timestamptz, arrived_at timestamptz, entry json)
    language plpgsql stable as $$
    #variable_conflict use_column
    begin
      if p_ids is null then
        return query select e.id, e.day, e.status, e.created_at, e.arrived_at, e.entry from (%1$s) e
        where e.office_id = p_office and e.day = p_day;
      else
        return query select e.id, e.day, e.status, e.created_at, e.arrived_at, e.entry from (%1$s) e
        where e.office_id = p_office and e.id = any (p_ids) and (p_day is null or e.day = p_day);
      end if;
    end $$;
  $queue$, rows);
  execute format($queue$
    -- Those of these visits that today's queue shows, each with the one before it. Stable: the version and the rows are of one moment.
    create or replace function queue_changed(p_office uuid, p_day date, p_ids uuid[])
    returns table (version bigint, visits json, after json, shown uuid[])
    language plpgsql stable as $$
    #variable_conflict use_column
    begin
      select q.version into version from queue_version q where q.office_id = p_office and q.id = p_day;
      select coalesce(json_agg(c.entry order by c.created_at, c.id), '[]'), coalesce(json_object_agg(c.id, c.after), '{}'),
             coalesce(array_agg(c.id), '{}')
      into visits, after, shown
      from (
        select e.id, e.created_at, e.entry, (
          select b.id from visit b
          where b.office_id = p_office and b.day = p_day and b.status <> 'EXPECTED' and b.arrived_at is not null
            and (b.created_at, b.id) < (e.created_at, e.id)
          order by b.created_at desc, b.id desc limit 1
        ) as after
        from (%1$s) e
        where e.office_id = p_office and e.id = any (p_ids) and e.day = p_day and e.status <> 'EXPECTED' and e.arrived_at is not null
      ) c;
      return next;
    end $$;
  $queue$, rows);
end $make$;
select make_queue_functions();

-- As before, on those functions.
create or replace function queue_reply(
  p_token_hash bytea, p_office text, p_now timestamptz, p_day date,
  p_cancelled boolean, p_doctor_cancelled boolean, p_etag text, p_request_id text
) returns table (status int, etag text, body text)
language plpgsql volatile as $$
declare
  caller record;
  the_day date;
  the_version bigint;
  answer text;
  today date;
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
  the_day := coalesce(p_day, today);
  select q.version into the_version from queue_version q where q.office_id = caller.office_id and q.id = the_day;
  etag := format('"%s-%s-%s%s%s"', caller.office_id, the_day, coalesce(the_version, 0),
                 case when p_cancelled then 'c' else '' end, case when p_doctor_cancelled then 'd' else '' end);
  if etag = p_etag then return query select 304, etag, null::text; return; end if;

  insert into audit_entry (office_id, at, actor, actor_id, action, subject, request_id)
  values (caller.office_id, p_now, 'staff', caller.person_id, 'queue.read', the_day::text, p_request_id);

  if p_cancelled and p_doctor_cancelled and the_day = today then
    select a.body into answer from queue_answer a
    where a.office_id = caller.office_id and a.id = the_day and a.version = the_version;
  end if;
  if answer is null then
    select coalesce(json_agg(e.entry order by e.created_at, e.id), '[]')::text into answer
    from queue_entries(caller.office_id, the_day, null) e
    where e.status <> 'EXPECTED' and e.arrived_at is not null
      and (p_cancelled or e.status <> 'PATIENT_CANCELLED')
      and (p_doctor_cancelled or e.status <> 'DOCTOR_CANCELLED');
    if p_cancelled and p_doctor_cancelled and the_day = today and the_version is not null then
      delete from queue_answer a where a.office_id = caller.office_id and a.id < today;
      insert into queue_answer as a (office_id, id, version, body) values (caller.office_id, the_day, the_version, answer)
      on conflict (office_id, id) do update set version = excluded.version, body = excluded.body where a.version < excluded.version;
    end if;
  end if;
  return query select 200, etag, answer;
end $$;

create or replace function queue_changes(
  p_token_hash bytea, p_office text, p_now timestamptz, p_since text, p_etag text, p_request_id text
) returns table (status int, etag text, body text)
language plpgsql volatile as $$
declare
  caller record;
  today date;
  prefix text;
  the_version bigint;
  tracked bigint;
  known uuid[];
  since bigint;
  ids uuid[];
  is_known boolean;
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
  select q.version, q.tracked_version, q.recent into the_version, tracked, known
  from queue_version q where q.office_id = caller.office_id and q.id = today;
  etag := format('"%s%scd"', prefix, coalesce(the_version, 0));
  if etag = p_etag then return query select 304, etag, null::text; return; end if;

  if p_since ~ ('^' || prefix || '\d{1,18}cd$') then
    since := rtrim(substr(p_since, length(prefix) + 1), 'cd')::bigint;
  end if;
  if since = coalesce(the_version, 0) then
    return query select 200, etag, format('{"version":%s,"isWhole":false,"visits":[],"after":{},"removed":[]}', to_json(trim(etag, '"')));
    return;
  end if;

  -- The version is read again with the rows, so that all are of that version: the visit before each one is known to the caller, or in the
  -- same answer. A change between the two looks is rare, and asks for the whole queue.
  if tracked = the_version and the_version - since between 1 and cardinality(known) then
    ids := known[cardinality(known) - (the_version - since)::int + 1:];
    select * into changes from queue_changed(caller.office_id, today, ids);
    is_known := changes.version = the_version;
  end if;

  -- No version at all, too old a one, or one that the day has not reached yet.
  if is_known is not true then
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
    to_json(trim(etag, '"')), changes.visits, changes.after,
    (select coalesce(json_agg(distinct r.id), '[]') from unnest(ids) r(id) where r.id <> all (changes.shown)));
end $$;
