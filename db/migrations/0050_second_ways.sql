-- Tokens that are renewed, passkeys, authenticator apps, Google accounts.

alter table auth.session
  -- Null: good until the session's end (made before tokens were renewed, or by a test).
  add column token_expires_at timestamptz(3),
  -- The token before it was renewed works until its own end: two tabs may renew at once, an answer may get lost.
  add column previous_token_hash bytea unique,
  add column previous_until timestamptz(3),
  -- The person proved who they are: signing in, unlocking.
  add column proved_at timestamptz(3),
  -- The second step was taken in this session.
  add column second_step_at timestamptz(3);

-- Since when signing in asks for the authenticator app.
alter table auth.person add column authenticator_at timestamptz(3);
alter table office add column requires_authenticator boolean not null default false;

create table auth.authenticator (
  person_id uuid primary key references auth.person on delete cascade,
  -- Sealed with a key outside the database. The pending one is in force once a code of it was confirmed.
  secret bytea,
  pending_secret bytea,
  -- The 30 seconds whose code was taken last: none works twice.
  last_step bigint not null default 0
);

create table auth.recovery_code (
  person_id uuid not null references auth.person on delete cascade,
  code_hash bytea not null,
  used_at timestamptz(3),
  primary key (person_id, code_hash)
);

create table auth.passkey (
  id uuid primary key,
  person_id uuid not null references auth.person on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  synced boolean not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index on auth.passkey (person_id, created_at);

-- What a passkey is asked to sign, once. subject: the session it is for, where there is one.
create table auth.challenge (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('register', 'sign-in', 'unlock')),
  subject uuid,
  expires_at timestamptz(3) not null
);
create index on auth.challenge (expires_at);

create table auth.google_account (
  issuer text not null,
  subject text not null,
  person_id uuid not null references auth.person on delete cascade,
  email text not null,
  linked_at timestamptz(3) not null,
  primary key (issuer, subject)
);
create index on auth.google_account (person_id);

grant select, insert, update, delete on auth.authenticator, auth.recovery_code, auth.passkey, auth.challenge, auth.google_account to anteroom_app;

-- The session look-up knows renewed tokens, the second step and what the office asks. A session whose second step is due is locked.
drop function door_caller(bytea, text, timestamptz);
create function door_caller(p_token_hash bytea, p_office text, p_now timestamptz)
returns table (
  session_id uuid, person_id uuid, kind text, created_at timestamptz, active_at timestamptz, expires_at timestamptz, locked_at timestamptz,
  person_name text, person_language text, office_id uuid, office_npi text, office_time_zone text, agreement_signed_at timestamptz, member_of int,
  token_expires_at timestamptz, proved_at timestamptz, second_step_due boolean, authenticator_missing boolean
)
language sql stable security definer set search_path = pg_catalog, public, auth, pg_temp as $$
  select s.id, s.person_id, s.kind, s.created_at, s.active_at, s.expires_at,
         case when p.authenticator_at is not null and s.second_step_at is null then coalesce(s.locked_at, s.created_at) else s.locked_at end,
         p.name, p.language, o.id, o.npi, o.time_zone, o.agreement_signed_at,
         (select count(*)::int from membership m where m.person_id = s.person_id),
         coalesce(s.token_expires_at, s.expires_at), coalesce(s.proved_at, s.created_at),
         p.authenticator_at is not null and s.second_step_at is null,
         coalesce(o.requires_authenticator, false) and p.authenticator_at is null
  from session s
  join person p on p.id = s.person_id
  left join lateral (
    select o.id, o.npi, o.time_zone, o.agreement_signed_at, o.requires_authenticator
    from membership m join office o on o.id = m.office_id
    where m.person_id = s.person_id
      and (p_office is null or o.id::text = p_office
           or exists (select 1 from office_npi n where n.office_id = o.id and n.npi = p_office))
    order by m.created_at, m.id
    limit 1
  ) o on true
  where ((s.token_hash = p_token_hash and coalesce(s.token_expires_at, s.expires_at) > p_now)
      or (s.previous_token_hash = p_token_hash and s.previous_until > p_now))
    and s.ended_at is null and s.expires_at > p_now
$$;

grant create on schema public to anteroom_door;
alter function door_caller(bytea, text, timestamptz) owner to anteroom_door;
revoke all on function door_caller(bytea, text, timestamptz) from public;
grant execute on function door_caller(bytea, text, timestamptz) to anteroom_app;
revoke create on schema public from anteroom_door;

-- The hot read refuses who has no authenticator app where the office asks for one; the rest is as it was.
create or replace function queue_reply(
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
