-- The doors before an office is known (settled.md): a short listed set of SECURITY DEFINER functions,
-- owned by a role that is not the app's and may read just these tables. Nothing else passes row-level security.

grant usage on schema public, auth to anteroom_door;
grant select on office, office_npi, membership, visit, visit_token, text to anteroom_door;
grant select on auth.session, auth.person to anteroom_door;
grant update on text to anteroom_door;

do $$
declare t text;
begin
  foreach t in array array['office', 'office_npi', 'membership', 'visit', 'visit_token', 'text'] loop
    execute format('create policy door on %I for select to anteroom_door using (true)', t);
  end loop;
  create policy door_claims on text for update to anteroom_door using (state in ('queued', 'sending')) with check (state in ('sending', 'unknown'));
end $$;

-- person → offices, and the session look-up of every call, in one round trip.
-- p_office is an office id or an NPI the caller named (X-Office), or null for their first office.
create function door_caller(p_token_hash bytea, p_office text, p_now timestamptz)
returns table (
  session_id uuid, person_id uuid, kind text, created_at timestamptz, active_at timestamptz, expires_at timestamptz, locked_at timestamptz,
  person_name text, person_language text, office_id uuid, office_npi text, office_time_zone text, agreement_signed_at timestamptz, member_of int
)
language sql stable security definer set search_path = pg_catalog, public, auth, pg_temp as $$
  select s.id, s.person_id, s.kind, s.created_at, s.active_at, s.expires_at, s.locked_at, p.name, p.language,
         o.id, o.npi, o.time_zone, o.agreement_signed_at,
         (select count(*)::int from membership m where m.person_id = s.person_id)
  from session s
  join person p on p.id = s.person_id
  left join lateral (
    select o.id, o.npi, o.time_zone, o.agreement_signed_at
    from membership m join office o on o.id = m.office_id
    where m.person_id = s.person_id
      and (p_office is null or o.id::text = p_office
           or exists (select 1 from office_npi n where n.office_id = o.id and n.npi = p_office))
    order by m.created_at, m.id
    limit 1
  ) o on true
  where s.token_hash = p_token_hash and s.ended_at is null and s.expires_at > p_now
$$;

-- All offices of a person, for the switcher.
create function door_offices_of(p_person uuid)
returns table (id uuid, npi text, name text, agreement_signed_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.id, o.npi, o.name, o.agreement_signed_at
  from membership m join office o on o.id = m.office_id
  where m.person_id = p_person order by m.created_at, m.id
$$;

-- NPI page: which office an NPI or one of its aliases names.
create function door_office_by_npi(p_npi text) returns uuid
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select office_id from office_npi where npi = p_npi order by current desc, id limit 1
$$;

-- Visit token: which visit a link opens.
create function door_visit_by_token(p_token_hash bytea, p_now timestamptz)
returns table (office_id uuid, visit_id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.office_id, t.visit_id from visit_token t where t.token_hash = p_token_hash and t.expires_at > p_now
$$;

-- Inbound number: whose number a text came to.
create function door_office_by_text_number(p_phone text) returns uuid
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select id from office where text_number = p_phone order by id limit 1
$$;

-- A delivery report names a text only by the carrier's id.
create function door_text_by_provider(p_provider_id text)
returns table (office_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.office_id, t.id from text t where t.provider_id = p_provider_id
$$;

-- Job claims: visits whose auto-invite is due.
create function door_due_auto_invites(p_now timestamptz, p_limit int)
returns table (office_id uuid, visit_id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select v.office_id, v.id from visit v
  where v.status = 'WAITING' and v.auto_invite_at <= p_now
  order by v.auto_invite_at limit p_limit
$$;

-- Job claims: every office, for the sealer.
create function door_office_ids() returns setof uuid
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$ select id from office order by id $$;

grant create on schema public to anteroom_door;
do $$
declare f record;
begin
  for f in select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
           where n.nspname = 'public' and p.proname like 'door\_%'
  loop
    execute format('alter function %s owner to anteroom_door', f.name);
    execute format('revoke all on function %s from public', f.name);
    execute format('grant execute on function %s to anteroom_app', f.name);
  end loop;
end $$;
revoke create on schema public from anteroom_door;
