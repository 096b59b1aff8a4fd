-- door_session answered the end of the newest token to a caller with the token before: a panel that holds a replaced token has to see that
-- token's own end, or it does not come to renew it. The rest is as it was.
create or replace function door_session(p_token_hash bytea, p_office text, p_now timestamptz)
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
