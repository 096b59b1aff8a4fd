-- A call to a provider that changes something there: claimed and committed before the call, settled after it. Its id is the idempotency key.
create table provider_operation (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  -- which feature finishes it, such as 'card.customer'
  kind text not null,
  -- what it is about; one operation at a time runs on one subject
  subject text not null,
  input jsonb not null,
  state text not null default 'running' check (state in ('running', 'done', 'refused', 'unknown')),
  result jsonb,
  reason text,
  tries int not null default 1,
  -- whoever calls the provider holds it so long; after that another process takes it over
  lease_until timestamptz(3) not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (office_id, id)
);
create unique index provider_operation_running on provider_operation (office_id, subject) where state = 'running';
create index provider_operation_lease on provider_operation (lease_until) where state = 'running';

alter table provider_operation enable row level security;
alter table provider_operation force row level security;
create policy own_office on provider_operation for all to public
  using (office_id = current_office()) with check (office_id = current_office());
create policy door on provider_operation for select to anteroom_door using (true);
grant select, insert, update, delete on provider_operation to anteroom_app;
grant select on provider_operation to anteroom_door;

-- Job claims: operations of these kinds whose process did not finish them.
create function door_abandoned_operations(p_now timestamptz, p_kinds text[], p_limit int)
returns table (office_id uuid, id uuid, kind text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.office_id, o.id, o.kind from provider_operation o
  where o.state = 'running' and o.lease_until <= p_now and o.kind = any (p_kinds) order by o.lease_until limit p_limit
$$;

grant create on schema public to anteroom_door;
alter function door_abandoned_operations(timestamptz, text[], int) owner to anteroom_door;
revoke all on function door_abandoned_operations(timestamptz, text[], int) from public;
grant execute on function door_abandoned_operations(timestamptz, text[], int) to anteroom_app;
revoke create on schema public from anteroom_door;
