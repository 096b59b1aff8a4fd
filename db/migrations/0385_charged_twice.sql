-- A request can have several payments: after a try that failed, or that somebody called not charged, the next one is a payment of its own.
-- `first_try_id` names the request's first payment, and is null in that one. If more than one of them turns out to be charged, the first one
-- counts what is beyond the largest of them: `charged_twice_cents`; `charged_twice_settled_cents`: how much of it somebody called right.
alter table payment
  add column first_try_id uuid,
  add column charged_twice_cents int not null default 0,
  add column charged_twice_settled_cents int not null default 0,
  add constraint payment_first_try foreign key (office_id, first_try_id) references payment (office_id, id) on delete cascade,
  add constraint payment_charged_twice_settled check (charged_twice_settled_cents between 0 and charged_twice_cents);
create index payment_tries on payment (office_id, first_try_id) where first_try_id is not null;
create index payment_charged_twice on payment (office_id, created_at) where charged_twice_cents > charged_twice_settled_cents;

-- A queue entry says so. The rest of the view stays as it is.
do $$
declare
  entry text := pg_get_viewdef('queue_entry'::regclass);
  with_mark text := replace(entry, '''refunded'', y.refunded_cents', '''refunded'', y.refunded_cents, ''chargedTwice'', (exists (
    select from payment d where d.office_id = y.office_id and d.visit_id = y.visit_id and d.charged_twice_cents > d.charged_twice_settled_cents
  ))');
begin
  if with_mark = entry then
    raise exception 'queue_entry has no payment to mark';
  end if;
  execute 'create or replace view queue_entry with (security_invoker = true) as ' || with_mark;
end $$;

-- The stored answers lack the mark. An owner that is not a superuser is held by forced row-level security too.
alter table queue_answer no force row level security;
alter table queue_version no force row level security;
delete from queue_answer;
update queue_version set version = version + 1;
alter table queue_answer force row level security;
alter table queue_version force row level security;
