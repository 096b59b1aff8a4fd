-- Texts: claims with a lease, retries where the fate is known, what came in, and the local carrier's own storage.

alter table text add column retry_at timestamptz(3), add column tries int not null default 0;
alter table text drop constraint text_kind_check;
-- notice: what the house must answer (HELP), also to a number that opted out.
alter table text add constraint text_kind_check check (kind in ('message', 'invite', 'reinvite', 'link', 'notice'));

create index text_waiting on text (office_id, to_phone) where state in ('queued', 'held');

-- Every text that came in, once, whether or not a visit was there to show it.
create table text_reply (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  provider_id text not null,
  from_phone text not null,
  visit_id uuid,
  keyword text check (keyword in ('stop', 'start', 'help')),
  body text not null,
  at timestamptz(3) not null,
  primary key (office_id, id),
  unique (office_id, provider_id)
);
alter table text_reply enable row level security;
alter table text_reply force row level security;
create policy own_office on text_reply for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on text_reply to anteroom_app;

-- state: sent (accepted), delivered, failed. report_at: when the carrier will next tell how the text fared.
alter table dev.outbox add column error_class text, add column report_at timestamptz(3);
create index on dev.outbox (report_at) where report_at is not null;

grant select on opt_out to anteroom_door;
create policy door on opt_out for select to anteroom_door using (true);

drop function if exists door_claim_texts(text, timestamptz, interval, int);
drop function if exists door_take_over_texts(text, timestamptz, interval, int);

-- Job claims: due texts, queued → sending with a lease, committed before the carrier is called.
-- Leases run by the database's clock, the same for all processes and deaf to jumps of theirs; what is due is business time.
create function door_claim_texts(p_worker text, p_now timestamptz, p_lease interval, p_limit int)
returns table (office_id uuid, id uuid, from_phone text, to_phone text, body text, send_at timestamptz, tries int, opted_out boolean)
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update text t
  set state = 'sending', claimed_at = clock_timestamp(), lease_until = clock_timestamp() + p_lease, worker = p_worker, tries = t.tries + 1
  from (
    select d.office_id, d.id from text d
    where d.state = 'queued' and d.send_at <= p_now and (d.retry_at is null or d.retry_at <= p_now)
    order by d.send_at limit p_limit for update skip locked
  ) due
  where t.office_id = due.office_id and t.id = due.id
  returning t.office_id, t.id, t.from_phone, t.to_phone, t.body, t.send_at, t.tries,
    t.kind <> 'notice' and exists (select from opt_out o where o.office_id = t.office_id and o.phone = t.to_phone)
$$;

-- Job claims: texts in `sending` past their lease (their worker died, or could not tell): looked up, never sent again blindly.
create function door_take_over_texts(p_worker text, p_lease interval, p_limit int)
returns table (office_id uuid, id uuid, from_phone text, to_phone text, claimed_at timestamptz, claimed_ms_ago float8)
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update text t set lease_until = clock_timestamp() + p_lease, worker = p_worker
  from (
    select d.office_id, d.id from text d
    where d.state = 'sending' and d.lease_until <= clock_timestamp()
    order by d.lease_until limit p_limit for update skip locked
  ) left_over
  where t.office_id = left_over.office_id and t.id = left_over.id
  returning t.office_id, t.id, t.from_phone, t.to_phone, t.claimed_at, extract(epoch from clock_timestamp() - t.claimed_at) * 1000
$$;

grant create on schema public to anteroom_door;
do $$
declare f text;
begin
  foreach f in array array['door_claim_texts(text, timestamptz, interval, int)', 'door_take_over_texts(text, interval, int)'] loop
    execute format('alter function %s owner to anteroom_door', f);
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to anteroom_app', f);
  end loop;
end $$;
revoke create on schema public from anteroom_door;
