-- The answer of a day as it was last put together. Everything the answer shows bumps queue_version (the ETag needs that anyway), so
-- the same version means the same answer. Unlogged: a crash costs one query.
create unlogged table queue_answer (
  office_id uuid not null references office on delete cascade,
  id date not null,
  version bigint not null,
  body text not null,
  primary key (office_id, id)
);
alter table queue_answer alter column body set storage external;
alter table queue_answer enable row level security;
alter table queue_answer force row level security;
create policy own_office on queue_answer for all to public using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on queue_answer to anteroom_app;

-- The hot read in one round trip: find the session, set the office, compare the ETag, write the audit row, answer the JSON as text.
-- status: 200, 304, 401 (no session), 423 (locked), 403 (no office or no agreement), 404 (not this caller's office).
create function queue_reply(
  p_token_hash bytea, p_office text, p_now timestamptz, p_idle interval, p_day date,
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
  if caller.locked_at is not null or (caller.kind = 'cookie' and caller.active_at + p_idle <= p_now) then
    return query select 423, null::text, null::text; return;
  end if;
  if caller.office_id is null then
    return query select case when p_office is not null and caller.member_of > 0 then 404 else 403 end, 'no_office'::text, null::text; return;
  end if;
  if caller.agreement_signed_at is null then return query select 403, 'agreement_missing'::text, null::text; return; end if;

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
    where e.office_id = caller.office_id and e.day = the_day and e.status <> 'EXPECTED'
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
grant execute on function queue_reply to anteroom_app;
