-- What the local card provider keeps: it stands outside the product, as a vendor would. It never has a card's number.
create schema card;

create table card.customer (
  id text primary key,
  operation_id uuid not null unique,
  -- our name for the customer: the office's id
  reference text not null,
  name text not null,
  payment_method_id text,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);

-- A card entered on the provider's page, used up when it is saved for a customer. `behavior` is how a test card answers.
create table card.token (
  token_hash bytea primary key,
  brand text not null,
  last4 text not null,
  exp_month int not null,
  exp_year int not null,
  behavior text not null check (behavior in ('ok', 'declined', 'charge_declined')),
  created_at timestamptz(3) not null
);
create index on card.token (created_at);

create table card.payment_method (
  id text primary key,
  customer_id text not null references card.customer on delete cascade,
  name text not null,
  brand text not null,
  last4 text not null,
  exp_month int not null,
  exp_year int not null,
  behavior text not null check (behavior in ('ok', 'charge_declined')),
  created_at timestamptz(3) not null
);
create index on card.payment_method (customer_id);

create table card.subscription (
  id text primary key,
  customer_id text not null references card.customer on delete cascade,
  status text not null check (status in
    ('trialing', 'active', 'past_due', 'incomplete', 'incomplete_expired', 'unpaid', 'paused', 'canceled')),
  price_id text not null,
  quantity int not null check (quantity > 0),
  anchor timestamptz(3) not null,
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null,
  trial_end timestamptz(3),
  cancel_at_period_end boolean not null,
  next_price_id text,
  next_quantity int,
  retry_at timestamptz(3),
  retries int not null,
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- when it goes on by itself
  due_at timestamptz(3)
);
create index on card.subscription (customer_id, created_at);
create index on card.subscription (due_at) where due_at is not null;
-- Never two at once.
create unique index subscription_running on card.subscription (customer_id) where status not in ('canceled', 'incomplete_expired');

create table card.invoice (
  id text primary key,
  customer_id text not null references card.customer on delete cascade,
  subscription_id text not null references card.subscription on delete cascade,
  number int not null generated always as identity,
  at timestamptz(3) not null,
  status text not null check (status in ('paid', 'open', 'void', 'uncollectible')),
  lines jsonb not null,
  total_cents int not null,
  paid_at timestamptz(3)
);
create index on card.invoice (customer_id, at);
create index on card.invoice (subscription_id);

-- Idempotency keys with the hash of their input: repeating one does nothing new.
create table card.operation (
  id uuid primary key,
  input_hash bytea not null,
  at timestamptz(3) not null
);
create index on card.operation (at);

-- Events, and the callbacks still to be sent (report_at).
create table card.event (
  id uuid primary key,
  customer_id text not null references card.customer on delete cascade,
  type text not null,
  at timestamptz(3) not null,
  report_at timestamptz(3)
);
create index on card.event (customer_id);
create index on card.event (report_at) where report_at is not null;

grant usage on schema card to anteroom_app;
grant select, insert, update, delete on all tables in schema card to anteroom_app;
