-- Which office a key leads to: the one table that is read before an office is known. The functions that answer such a look-up read it
-- first and then only the rows of those offices, so that a distributed PostgreSQL asks the machine that has them.
--
-- Keys: the hash of a link's token in hex, an NPI, a text number, a person's id, the address or number somebody is invited by, and a
-- provider's name and request id. No foreign key leads to the office: an entry without a row behind it finds nothing.
create table auth.office_directory (
  kind text not null
    check (kind in ('agreement', 'invitation_link', 'invited', 'npi', 'person', 'share_link', 'text_number', 'visit_link')),
  key text not null,
  office_id uuid not null,
  -- When the entry may be deleted; null for never.
  expires_at timestamptz(3),
  primary key (kind, key, office_id)
);
create index on auth.office_directory (office_id, expires_at) where expires_at is not null;

-- An owner that is not a superuser is held by forced row-level security too.
alter table office no force row level security;
alter table office_npi no force row level security;
alter table membership no force row level security;
alter table invitation no force row level security;
alter table visit_token no force row level security;
alter table share_link no force row level security;
alter table agreement no force row level security;

insert into auth.office_directory (kind, key, office_id, expires_at)
select distinct 'npi', npi, office_id, null::timestamptz from office_npi
union all select 'text_number', text_number, id, null from office
union all select 'person', person_id::text, office_id, null from membership
union all select 'invited', value, office_id, max(expires_at) from invitation where state = 'open' and expires_at > now() group by value, office_id
union all select 'invitation_link', encode(token_hash, 'hex'), office_id, expires_at from invitation where state = 'open' and expires_at > now()
union all select 'visit_link', encode(token_hash, 'hex'), office_id, expires_at from visit_token where expires_at > now()
union all select 'share_link', encode(token_hash, 'hex'), office_id, null from share_link
union all select distinct 'agreement', provider || ' ' || request_id, office_id, null::timestamptz from agreement where request_id is not null;

alter table office force row level security;
alter table office_npi force row level security;
alter table membership force row level security;
alter table invitation force row level security;
alter table visit_token force row level security;
alter table share_link force row level security;
alter table agreement force row level security;

-- The app sees and writes the entries of the office it has entered, and no others.
alter table auth.office_directory enable row level security;
alter table auth.office_directory force row level security;
create policy own_office on auth.office_directory for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on auth.office_directory to anteroom_app;
grant select on auth.office_directory to anteroom_door;
create policy door on auth.office_directory for select to anteroom_door using (true);

-- A key that has no entry is looked up among the rows of all offices, as before: processes of the version before write no entries while
-- an upgrade is under way. completeDirectory (server/kit/directory.ts) adds them.

-- The session look-up of every request, in one call: the session, the office it is about and the minutes after which its panel locks.
create function door_session(p_token_hash bytea, p_office text, p_now timestamptz)
returns table (
  session_id uuid, person_id uuid, kind text, created_at timestamptz, active_at timestamptz, expires_at timestamptz, locked_at timestamptz,
  person_name text, person_language text, office_id uuid, office_npi text, office_time_zone text, agreement_signed_at timestamptz, member_of int,
  token_expires_at timestamptz, proved_at timestamptz, second_step_due boolean, authenticator_missing boolean, lock_minutes int
)
language plpgsql stable security definer set search_path = pg_catalog, public, auth, pg_temp as $$
#variable_conflict use_column
declare
  authenticator_at timestamptz;
  offices uuid[];
  requires_authenticator boolean;
begin
  select s.id, s.person_id, s.kind, s.created_at, s.active_at, s.expires_at, s.locked_at, p.name, p.language,
         -- A replaced token shows its own end, so that a panel that holds one comes to renew it.
         case when s.token_hash = p_token_hash then coalesce(s.token_expires_at, s.expires_at) else s.previous_until end,
         coalesce(s.proved_at, s.created_at),
         p.authenticator_at is not null and s.second_step_at is null, p.authenticator_at,
         array(select d.office_id from office_directory d where d.kind = 'person' and d.key = s.person_id::text)
  into session_id, person_id, kind, created_at, active_at, expires_at, locked_at, person_name, person_language,
       token_expires_at, proved_at, second_step_due, authenticator_at, offices
  from session s join person p on p.id = s.person_id
  where ((s.token_hash = p_token_hash and coalesce(s.token_expires_at, s.expires_at) > p_now)
      or (s.previous_token_hash = p_token_hash and s.previous_until > p_now))
    and s.ended_at is null and s.expires_at > p_now;
  if not found then return; end if;
  -- A session whose second step is due is locked.
  if second_step_due then locked_at := coalesce(locked_at, created_at); end if;

  if offices = '{}' then
    offices := array(select m.office_id from membership m where m.person_id = door_session.person_id);
  end if;
  select o.id, o.npi, o.time_zone, o.agreement_signed_at, o.requires_authenticator, all_offices.n, all_offices.minutes
  into office_id, office_npi, office_time_zone, agreement_signed_at, requires_authenticator, member_of, lock_minutes
  from (
    select m.office_id, m.created_at, m.id, count(*) over ()::int as n, min(o.lock_minutes) over ()::int as minutes
    from membership m join office o on o.id = m.office_id
    where m.office_id = any (offices) and m.person_id = door_session.person_id
  ) all_offices
  left join office o on o.id = all_offices.office_id and (
    p_office is null or o.id::text = p_office
    or exists (select from office_npi n where n.office_id = any (offices) and n.office_id = o.id and n.npi = p_office))
  order by o.id is null, all_offices.created_at, all_offices.id
  limit 1;
  member_of := coalesce(member_of, 0);
  lock_minutes := coalesce(lock_minutes, 15);
  authenticator_missing := coalesce(requires_authenticator, false) and authenticator_at is null;
  return next;
end $$;
grant create on schema public to anteroom_door;
alter function door_session(bytea, text, timestamptz) owner to anteroom_door;
revoke create on schema public from anteroom_door;
revoke all on function door_session(bytea, text, timestamptz) from public;
grant execute on function door_session(bytea, text, timestamptz) to anteroom_app;

create or replace function door_offices_of(p_person uuid)
returns table (id uuid, npi text, name text, agreement_signed_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'person' and d.key = p_person::text);
  if offices = '{}' then
    offices := array(select m.office_id from membership m where m.person_id = p_person);
  end if;
  return query
  select o.id, o.npi, o.name, o.agreement_signed_at
  from membership m join office o on o.id = m.office_id
  where m.office_id = any (offices) and m.person_id = p_person order by m.created_at, m.id;
end $$;

create or replace function door_lock_minutes(p_person_id uuid) returns int
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'person' and d.key = p_person_id::text);
  if offices = '{}' then
    offices := array(select m.office_id from membership m where m.person_id = p_person_id);
  end if;
  return (
    select coalesce(min(o.lock_minutes), 15)::int
    from membership m join office o on o.id = m.office_id
    where m.office_id = any (offices) and m.person_id = p_person_id
  );
end $$;

create or replace function door_office_by_npi(p_npi text) returns uuid
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'npi' and d.key = p_npi);
  if offices = '{}' then
    offices := array(select n.office_id from office_npi n where n.npi = p_npi);
  end if;
  return (
    select n.office_id from office_npi n
    where n.office_id = any (offices) and n.npi = p_npi order by n.current desc, n.id limit 1
  );
end $$;

create or replace function door_office_by_text_number(p_phone text) returns uuid
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'text_number' and d.key = p_phone);
  if offices = '{}' then
    offices := array(select o.id from office o where o.text_number = p_phone);
  end if;
  return (select o.id from office o where o.id = any (offices) and o.text_number = p_phone order by o.id limit 1);
end $$;

create or replace function door_visit_by_token(p_token_hash bytea, p_now timestamptz)
returns table (office_id uuid, visit_id uuid, token_id uuid, proved boolean, visit_proved boolean)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'visit_link' and d.key = encode(p_token_hash, 'hex'));
  if offices = '{}' then
    offices := array(select t.office_id from visit_token t where t.token_hash = p_token_hash);
  end if;
  return query
  select t.office_id, t.visit_id, t.id, t.proved, v.proved_at is not null
  from visit_token t join visit v on v.office_id = t.office_id and v.id = t.visit_id
  where t.office_id = any (offices) and t.token_hash = p_token_hash and t.expires_at > p_now;
end $$;

create or replace function door_share_by_token(p_token_hash bytea)
returns table (office_id uuid, id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'share_link' and d.key = encode(p_token_hash, 'hex'));
  if offices = '{}' then
    offices := array(select s.office_id from share_link s where s.token_hash = p_token_hash);
  end if;
  return query
  select s.office_id, s.id from share_link s where s.office_id = any (offices) and s.token_hash = p_token_hash;
end $$;

create or replace function door_invitation_by_token(p_token_hash bytea, p_now timestamptz)
returns table (office_id uuid, invitation_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(
    select d.office_id from auth.office_directory d where d.kind = 'invitation_link' and d.key = encode(p_token_hash, 'hex')
  );
  if offices = '{}' then
    offices := array(select i.office_id from invitation i where i.token_hash = p_token_hash);
  end if;
  return query
  select i.office_id, i.id from invitation i
  where i.office_id = any (offices) and i.token_hash = p_token_hash and i.state = 'open' and i.expires_at > p_now;
end $$;

create or replace function door_open_invitations(p_values text[], p_now timestamptz)
returns table (office_id uuid, id uuid, npi text, office_name text, invited_by_name text, kind text, value text, expires_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(select distinct d.office_id from auth.office_directory d where d.kind = 'invited' and d.key = any (p_values));
  if offices = '{}' then
    offices := array(select distinct i.office_id from invitation i where i.value = any (p_values) and i.state = 'open');
  end if;
  return query
  select i.office_id, i.id, o.npi, o.name, i.invited_by_name, i.kind, i.value, i.expires_at
  from invitation i join office o on o.id = i.office_id
  where i.office_id = any (offices) and i.value = any (p_values) and i.state = 'open' and i.expires_at > p_now
  order by i.created_at, i.id limit 20;
end $$;

create or replace function door_agreement_by_request(p_provider text, p_request_id text)
returns table (office_id uuid, id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(
    select d.office_id from auth.office_directory d where d.kind = 'agreement' and d.key = p_provider || ' ' || p_request_id
  );
  if offices = '{}' then
    offices := array(select a.office_id from agreement a where a.provider = p_provider and a.request_id = p_request_id);
  end if;
  return query
  select a.office_id, a.id from agreement a
  where a.office_id = any (offices) and a.provider = p_provider and a.request_id = p_request_id;
end $$;

-- The hot read looks the session up once, and enters the office by SET LOCAL, which a distributed PostgreSQL forwards.
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
