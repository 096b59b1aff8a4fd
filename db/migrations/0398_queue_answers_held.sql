-- A process keeps the answers that it has sent: 20 panels ask the same after each change. It names the ETag of what it holds for this
-- question (`p_held`). If that is still the answer, the body is null: the session is checked and the entry is written all the same.
create function queue_reply_or_held(
  p_token_hash bytea, p_office text, p_now timestamptz, p_day date,
  p_cancelled boolean, p_doctor_cancelled boolean, p_etag text, p_request_id text, p_held text
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
  if etag = p_held then return query select 200, etag, null::text; return; end if;

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

create function queue_changes_or_held(
  p_token_hash bytea, p_office text, p_now timestamptz, p_since text, p_etag text, p_request_id text, p_held text
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

  if etag = p_held then
    insert into audit_entry (office_id, at, actor, actor_id, action, subject, request_id)
    values (caller.office_id, p_now, 'staff', caller.person_id, 'queue.read', today::text, p_request_id);
    return query select 200, etag, null::text;
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
    select * into whole from queue_reply_or_held(p_token_hash, p_office, p_now, null, true, true, null, p_request_id, p_held);
    etag := whole.etag;
    body := format('{"version":%s,"isWhole":true,"visits":%s,"after":{},"removed":[]}', to_json(trim(etag, '"')), whole.body);
    return query select whole.status, etag, case when whole.body is not null then body end;
    return;
  end if;

  insert into audit_entry (office_id, at, actor, actor_id, action, subject, request_id)
  values (caller.office_id, p_now, 'staff', caller.person_id, 'queue.read', today::text, p_request_id);
  etag := format('"%s%scd"', prefix, changes.version);
  return query select 200, etag, format('{"version":%s,"isWhole":false,"visits":%s,"after":%s,"removed":%s}',
    to_json(trim(etag, '"')), changes.visits, changes.after,
    (select coalesce(json_agg(distinct r.id), '[]') from unnest(ids) r(id) where r.id <> all (changes.shown)));
end $$;

-- A process of the version before holds nothing.
create or replace function queue_reply(
  p_token_hash bytea, p_office text, p_now timestamptz, p_day date,
  p_cancelled boolean, p_doctor_cancelled boolean, p_etag text, p_request_id text
) returns table (status int, etag text, body text)
language sql volatile as $$
  select * from queue_reply_or_held(p_token_hash, p_office, p_now, p_day, p_cancelled, p_doctor_cancelled, p_etag, p_request_id, null)
$$;

create or replace function queue_changes(
  p_token_hash bytea, p_office text, p_now timestamptz, p_since text, p_etag text, p_request_id text
) returns table (status int, etag text, body text)
language sql volatile as $$
  select * from queue_changes_or_held(p_token_hash, p_office, p_now, p_since, p_etag, p_request_id, null)
$$;
