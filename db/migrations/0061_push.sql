-- Browsers that want to hear of an office's arrivals. `due_at` on the row is the job; a lease, when it is being sent.

create table push_subscription (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  person_id uuid not null references auth.person on delete cascade,
  session_id uuid references auth.session on delete set null,
  device_id uuid references auth.device on delete set null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  language text not null default 'en' check (language in ('en', 'es')),
  user_agent text not null default '',
  created_at timestamptz(3) not null,
  -- the newest arrival not told of yet; not before `retry_at`, when the push service asked for patience
  due_at timestamptz(3),
  retry_at timestamptz(3),
  lease_until timestamptz(3),
  tries int not null default 0,
  last_sent_at timestamptz(3),
  primary key (office_id, id),
  unique (office_id, endpoint)
);
create index push_due on push_subscription (due_at) where due_at is not null;

alter table push_subscription enable row level security;
alter table push_subscription force row level security;
create policy own_office on push_subscription for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on push_subscription to anteroom_app;

grant select, update on push_subscription to anteroom_door;
create policy door on push_subscription for select to anteroom_door using (true);
create policy door_claims on push_subscription for update to anteroom_door using (due_at is not null) with check (due_at is not null);

-- Job claims: due pushes, with a lease. Sent twice after a crash is harmless: the browser shows one note in place of the other.
create function door_claim_pushes(p_now timestamptz, p_lease interval, p_limit int)
returns table (office_id uuid, id uuid, endpoint text, p256dh text, auth text, language text, due_at timestamptz, tries int)
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update push_subscription s set lease_until = clock_timestamp() + p_lease, tries = s.tries + 1
  from (
    select d.office_id, d.id from push_subscription d
    where d.due_at <= p_now and (d.retry_at is null or d.retry_at <= p_now)
      and (d.lease_until is null or d.lease_until <= clock_timestamp())
    order by d.due_at limit p_limit for update skip locked
  ) due
  where s.office_id = due.office_id and s.id = due.id
  returning s.office_id, s.id, s.endpoint, s.p256dh, s.auth, s.language, s.due_at, s.tries
$$;

grant create on schema public to anteroom_door;
alter function door_claim_pushes(timestamptz, interval, int) owner to anteroom_door;
revoke all on function door_claim_pushes(timestamptz, interval, int) from public;
grant execute on function door_claim_pushes(timestamptz, interval, int) to anteroom_app;
revoke create on schema public from anteroom_door;
