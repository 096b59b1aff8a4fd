-- The local payment provider's own tables: it stands outside the product, as a vendor would. It stores no card number.
create schema charges;

-- What its card form gave for a card: the brand, the last four digits, and how this test card behaves.
create table charges.card (
  id uuid primary key,
  brand text not null,
  last4 text not null,
  behavior text not null check (behavior in ('ok', 'declined', 'pending', 'answer-lost', 'no-answer')),
  created_at timestamptz(3) not null
);

create table charges.transfer (
  id uuid primary key,
  -- Our operation id: a second call with it moves no money.
  reference text not null unique,
  merchant text not null,
  kind text not null check (kind in ('charge', 'reversal')),
  reverses uuid references charges.transfer on delete cascade,
  amount_cents int not null check (amount_cents > 0),
  state text not null check (state in ('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELED')),
  failure text,
  brand text,
  last4 text,
  behavior text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index on charges.transfer (merchant, created_at);
create index on charges.transfer (reverses);

-- Callbacks that are still to be sent (report_at).
create table charges.event (
  id uuid primary key,
  transfer_id uuid not null references charges.transfer on delete cascade,
  type text not null,
  at timestamptz(3) not null,
  report_at timestamptz(3)
);
create index on charges.event (transfer_id);
create index on charges.event (report_at) where report_at is not null;

grant usage on schema charges to anteroom_app;
grant select, insert, update, delete on all tables in schema charges to anteroom_app;
