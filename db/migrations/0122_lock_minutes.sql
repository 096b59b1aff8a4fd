-- Each office chooses after how many minutes without input its panels lock.
alter table office add column lock_minutes smallint not null default 15 check (lock_minutes between 5 and 30);

-- A session belongs to a person, not to an office: the shortest time of the person's offices applies.
create function door_lock_minutes(p_person_id uuid) returns int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(min(o.lock_minutes), 15)::int
  from membership m join office o on o.id = m.office_id
  where m.person_id = p_person_id
$$;

grant create on schema public to anteroom_door;
alter function door_lock_minutes(uuid) owner to anteroom_door;
revoke all on function door_lock_minutes(uuid) from public;
grant execute on function door_lock_minutes(uuid) to anteroom_app;
revoke create on schema public from anteroom_door;

-- The hot read goes by the same minutes instead of a constant of its caller.
create function queue_reply(
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
  select * into caller from door_caller(p_token_hash, p_office, p_now);
  if caller.session_id is null then return query select 401, null::text, null::text; return; end if;
  if caller.locked_at is not null
    or (caller.kind = 'cookie' and caller.active_at + make_interval(mins => door_lock_minutes(caller.person_id)) <= p_now) then
    return query select 423, null::text, null::text; return;
  end if;
  if caller.office_id is null then
    return query select case when p_office is not null and caller.member_of > 0 then 404 else 403 end, 'no_office'::text, null::text; return;
  end if;
  if caller.agreement_signed_at is null then return query select 403, 'agreement_missing'::text, null::text; return; end if;
  if caller.authenticator_missing then return query select 403, 'authenticator_missing'::text, null::text; return; end if;

  perform set_config('app.office_id', caller.office_id::text, true);
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
    from queue_entry e
    where e.office_id = caller.office_id and e.day = the_day and e.status <> 'EXPECTED' and e.arrived_at is not null
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
grant execute on function queue_reply(bytea, text, timestamptz, date, boolean, boolean, text, text) to anteroom_app;

-- For processes of the version before, while an upgrade is under way: their constant is ignored.
create or replace function queue_reply(
  p_token_hash bytea, p_office text, p_now timestamptz, p_idle interval, p_day date,
  p_cancelled boolean, p_doctor_cancelled boolean, p_etag text, p_request_id text
) returns table (status int, etag text, body text)
language sql volatile as $$
  select * from queue_reply(p_token_hash, p_office, p_now, p_day, p_cancelled, p_doctor_cancelled, p_etag, p_request_id)
$$;
