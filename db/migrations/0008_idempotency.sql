-- What a creating call answered is the office's: kept under its row-level security like everything else of it.
drop table idempotency;
create table idempotency (
  office_id uuid not null references office on delete cascade,
  -- who calls which route under which key, hashed
  id text not null,
  body_hash bytea not null,
  reply jsonb,
  created_at timestamptz(3) not null,
  primary key (office_id, id)
);
create index on idempotency (office_id, created_at);
alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy own_office on idempotency for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on idempotency to anteroom_app;
