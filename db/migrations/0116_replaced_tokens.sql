-- Tokens that were renewed. Whoever presents one for renewal again, later than the race of two tabs explains, may have stolen it or may be its
-- victim: the session ends.
create table auth.replaced_token (
  token_hash bytea primary key,
  session_id uuid not null references auth.session on delete cascade,
  replaced_at timestamptz(3) not null
);
create index on auth.replaced_token (session_id);
insert into auth.replaced_token (token_hash, session_id, replaced_at)
select previous_token_hash, id, now() from auth.session where previous_token_hash is not null;

grant select, insert, update, delete on auth.replaced_token to anteroom_app;

-- A caller with the token before sees its own end, not its successor's: a panel that holds a replaced token comes to renew it.
create or replace function door_caller(p_token_hash bytea, p_office text, p_now timestamptz)
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
         case when s.token_hash = p_token_hash then coalesce(s.token_expires_at, s.expires_at) else s.previous_until end,
         coalesce(s.proved_at, s.created_at),
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
