-- A new practice is limited until it is confirmed: by the operator, by a code texted to the number NPPES lists for its NPI, or at once
-- where the operator adds it or the installation is a demo. Practices that existed before this migration count as confirmed.
alter table office
  add column confirmed_at timestamptz(3),
  add column confirmed_by text check (confirmed_by in ('operator', 'phone', 'demo', 'migration')),
  add constraint office_confirmed check ((confirmed_at is null) = (confirmed_by is null));
-- An owner that is not a superuser is held by forced row-level security too.
alter table office no force row level security;
update office set confirmed_at = created_at, confirmed_by = 'migration';
alter table office force row level security;

-- What confirming a limited practice needs: whether the operator was emailed, and the newest code with its tries.
create table office_confirmation (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  operator_mailed_at timestamptz(3),
  claimed_until timestamptz(3),
  mail_tries int not null default 0,
  code_phone text,
  code_hash bytea,
  code_sent_at timestamptz(3),
  code_expires_at timestamptz(3),
  code_tries int not null default 0,
  created_at timestamptz(3) not null,
  primary key (office_id, id),
  unique (office_id)
);
create index office_confirmation_unmailed on office_confirmation (created_at) where operator_mailed_at is null;

alter table office_confirmation enable row level security;
alter table office_confirmation force row level security;
create policy own_office on office_confirmation for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on office_confirmation to anteroom_app;
grant select on office_confirmation to anteroom_door;
create policy door on office_confirmation for select to anteroom_door using (true);

create index office_limited on office (created_at) where confirmed_at is null;
create index office_state on office (state);

-- The operator's list: every limited practice.
create function door_limited_offices() returns setof uuid
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select id from office where confirmed_at is null order by created_at, id
$$;

-- Job: limited practices with a signed agreement that the operator has not been emailed about.
create function door_due_confirmation_mails(p_now timestamptz, p_limit int) returns setof uuid
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.office_id from office_confirmation c join office o on o.id = c.office_id
  where c.operator_mailed_at is null and (c.claimed_until is null or c.claimed_until <= p_now)
    and o.confirmed_at is null and o.agreement_signed_at is not null
  order by c.created_at limit p_limit
$$;

-- Names that a practice at this place must not take: compared in the program, which folds look-alike letters.
create function door_offices_near(p_state text, p_city text, p_zip text)
returns table (id uuid, name text, address_line1 text, city text, zip text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.id, o.name, o.address_line1, o.city, o.zip from office o
  where o.state = p_state and (lower(o.city) = lower(p_city) or (o.zip <> '' and left(o.zip, 5) = left(p_zip, 5)))
$$;

grant create on schema public to anteroom_door;
do $$
declare f text;
begin
  foreach f in array array['door_limited_offices()', 'door_due_confirmation_mails(timestamptz, int)', 'door_offices_near(text, text, text)'] loop
    execute format('alter function %s owner to anteroom_door', f);
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to anteroom_app', f);
  end loop;
end $$;
revoke create on schema public from anteroom_door;
