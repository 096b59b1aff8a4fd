-- An invitation is accepted or declined by an explicit press, and a team sees of a member only what its office was given.

alter table invitation drop constraint invitation_state_check;
alter table invitation add constraint invitation_state_check check (state in ('open', 'accepted', 'revoked', 'declined'));
create index on invitation (office_id, invited_by) where state = 'open';

-- What the office was given of a member: the address or number that was invited, or that registered the office.
alter table membership
  add column email text,
  add column phone text,
  -- The last sign-in that this office's audit log holds.
  add column last_sign_in_at timestamptz(3);

-- An owner that is not a superuser is held by forced row-level security too.
alter table membership no force row level security;
alter table audit_entry no force row level security;
alter table invitation no force row level security;

update membership m set last_sign_in_at = newest.at
from (
  select office_id, actor_id, max(at) as at from audit_entry where action = 'session.start' group by office_id, actor_id
) newest
where newest.office_id = m.office_id and newest.actor_id = m.person_id;

-- Members so far: the identity that was invited, else the one they signed in with first.
update membership m set email = case given.kind when 'email' then given.value end, phone = case given.kind when 'phone' then given.value end
from (
  select distinct on (m.office_id, m.person_id) m.office_id, m.person_id, i.kind, i.value
  from membership m
  join auth.identity i on i.person_id = m.person_id
  left join invitation v on v.office_id = m.office_id and v.value = i.value and v.state = 'accepted'
  order by m.office_id, m.person_id, v.id is null, i.verified_at, i.id
) given
where given.office_id = m.office_id and given.person_id = m.person_id;

alter table membership force row level security;
alter table audit_entry force row level security;
alter table invitation force row level security;

-- The open invitations to any of a person's addresses and numbers: what the join page shows. The function that looks up one address
-- stays for processes of the version before, while an upgrade is under way.
create function door_open_invitations(p_values text[], p_now timestamptz)
returns table (office_id uuid, id uuid, npi text, office_name text, invited_by_name text, kind text, value text, expires_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.office_id, i.id, o.npi, o.name, i.invited_by_name, i.kind, i.value, i.expires_at
  from invitation i join office o on o.id = i.office_id
  where i.value = any (p_values) and i.state = 'open' and i.expires_at > p_now
  order by i.created_at, i.id limit 20
$$;

grant create on schema public to anteroom_door;
alter function door_open_invitations(text[], timestamptz) owner to anteroom_door;
revoke all on function door_open_invitations(text[], timestamptz) from public;
grant execute on function door_open_invitations(text[], timestamptz) to anteroom_app;
revoke create on schema public from anteroom_door;
