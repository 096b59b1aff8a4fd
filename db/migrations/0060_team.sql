-- Invitations to an office. A letter or text with a link; who signs in by a code sent to that very address belongs to the office.

create table invitation (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('email', 'phone')),
  value text not null,
  name text not null default '',
  token_hash bytea not null unique,
  state text not null default 'open' check (state in ('open', 'accepted', 'revoked')),
  invited_by uuid references auth.person on delete set null,
  invited_by_name text not null,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  -- in the ledger of texts, where it was texted
  text_id uuid,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (office_id, id)
);
-- The same address invited twice, also at the same moment, is one invitation.
create unique index invitation_open on invitation (office_id, value) where state = 'open';
create index invitation_to on invitation (value) where state = 'open';

alter table invitation enable row level security;
alter table invitation force row level security;
create policy own_office on invitation for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on invitation to anteroom_app;

grant select on invitation to anteroom_door;
create policy door on invitation for select to anteroom_door using (true);

-- An invitation's link: whose it is. And who just proved an address: where they are invited.
create function door_invitation_by_token(p_token_hash bytea, p_now timestamptz)
returns table (office_id uuid, invitation_id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.office_id, i.id from invitation i
  where i.token_hash = p_token_hash and i.state = 'open' and i.expires_at > p_now
$$;

create function door_invitations_to(p_value text, p_now timestamptz)
returns table (office_id uuid, invitation_id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.office_id, i.id from invitation i
  where i.value = p_value and i.state = 'open' and i.expires_at > p_now order by i.created_at, i.id
$$;

grant create on schema public to anteroom_door;
do $$
declare f text;
begin
  foreach f in array array['door_invitation_by_token(bytea, timestamptz)', 'door_invitations_to(text, timestamptz)'] loop
    execute format('alter function %s owner to anteroom_door', f);
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to anteroom_app', f);
  end loop;
end $$;
revoke create on schema public from anteroom_door;
