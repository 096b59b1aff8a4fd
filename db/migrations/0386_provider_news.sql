-- A refund that was made in the payment provider's own dashboard: it has no reference of ours, only its transfer.
alter table payment_refund add column at_provider boolean not null default false;
create unique index payment_refund_at_provider on payment_refund (office_id, transfer_id) where at_provider;

-- What the payment provider reports about a charge that was paid, and that a person has to see to: `bounced`: it failed after all, `dispute`: the
-- patient's bank disputes it. `key` is the provider's number, so that it is noted once.
create table payment_notice (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('bounced', 'dispute')),
  key text not null,
  amount_cents int not null check (amount_cents > 0),
  state text,
  created_at timestamptz(3) not null,
  settled_at timestamptz(3),
  primary key (office_id, id),
  unique (office_id, payment_id, kind, key),
  foreign key (office_id, payment_id) references payment (office_id, id) on delete cascade
);
create index payment_notice_open on payment_notice (office_id, created_at) where settled_at is null;

alter table payment_notice enable row level security;
alter table payment_notice force row level security;
create policy own_office on payment_notice for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on payment_notice to anteroom_app;
