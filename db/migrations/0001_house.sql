-- The house: who signs in, the offices, the live queue, texts, the record.
-- Every office-owned table: primary key (office_id, id), forced row-level security, one policy for all commands.

create schema auth;

create table auth.person (
  id uuid primary key,
  name text not null,
  language text check (language in ('en', 'es')),
  preferences jsonb not null default '{}',
  settings jsonb not null default '{}',
  created_at timestamptz(3) not null
);

create table auth.identity (
  id uuid primary key,
  person_id uuid not null references auth.person on delete cascade,
  kind text not null check (kind in ('email', 'phone')),
  value text not null unique,
  verified_at timestamptz(3) not null
);
create index on auth.identity (person_id);

create table auth.device (
  id uuid primary key,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null
);

-- A device on which this person signed in before: it has its own budget of tries.
create table auth.known_device (
  device_id uuid not null references auth.device on delete cascade,
  person_id uuid not null references auth.person on delete cascade,
  signed_in_at timestamptz(3) not null,
  primary key (device_id, person_id)
);

create table auth.session (
  id uuid primary key,
  person_id uuid not null references auth.person on delete cascade,
  token_hash bytea not null unique,
  kind text not null check (kind in ('cookie', 'bearer')),
  device_id uuid references auth.device on delete set null,
  address text,
  user_agent text,
  created_at timestamptz(3) not null,
  active_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  locked_at timestamptz(3),
  ended_at timestamptz(3)
);
create index on auth.session (person_id);

create table auth.code (
  id uuid primary key,
  identifier text not null,
  purpose text not null,
  code_hash bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  tries int not null default 0,
  used_at timestamptz(3)
);
create index on auth.code (identifier, purpose, created_at desc);

create table global_setting (
  name text primary key,
  value jsonb not null
);

create table office (
  id uuid primary key,
  npi text not null,
  npi_provisional boolean not null default false,
  name text not null,
  address_line1 text not null,
  city text not null,
  state text not null,
  zip text not null default '',
  time_zone text not null,
  email text,
  url text,
  it_contact text,
  emr text not null default 'N/A',
  patient_size text,
  ages_treated text[] not null default '{}',
  text_number text not null,
  agreement_signed_at timestamptz(3),
  payments_question_completed boolean not null default false,
  finix_identity text,
  stripe_customer_id text,
  -- part 1's and part 2's office settings and flags, by their names
  settings jsonb not null default '{}',
  -- contract/office.ts QueueSettings
  queue_settings jsonb not null,
  created_at timestamptz(3) not null
);

create table office_npi (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  npi text not null,
  current boolean not null,
  primary key (office_id, id)
);
create index on office_npi (npi);

create table membership (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  person_id uuid not null references auth.person on delete cascade,
  created_at timestamptz(3) not null,
  primary key (office_id, id),
  unique (office_id, person_id)
);
create index on membership (person_id);

create table patient (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  user_code text not null,
  phone text not null,
  first_name text not null,
  last_name text not null,
  birth_date date,
  language text not null default 'en' check (language in ('en', 'es')),
  created_at timestamptz(3) not null,
  primary key (office_id, id),
  unique (office_id, user_code),
  unique (office_id, phone)
);

create table visit (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  patient_id uuid not null,
  day date not null,
  status text not null,
  status_before text,
  version int not null default 1,
  phone text not null,
  first_name text not null,
  last_name text not null,
  language text not null default 'en' check (language in ('en', 'es')),
  created_at timestamptz(3) not null,
  arrived_at timestamptz(3),
  status_at timestamptz(3) not null,
  invited_at timestamptz(3),
  ended_at timestamptz(3),
  end_reason text,
  end_note text,
  acted_by text not null default 'patient' check (acted_by in ('staff', 'patient', 'timer', 'operator')),
  acted_by_name text,
  auto_invite_at timestamptz(3),
  still_waiting_at timestamptz(3),
  phone_seen_at timestamptz(3),
  primary key (office_id, id),
  foreign key (office_id, patient_id) references patient (office_id, id),
  check (status in ('EXPECTED', 'WAITING', 'INVITED', 'REINVITED', 'GOING', 'PATIENT_DONE', 'PATIENT_CANCELLED', 'DOCTOR_CANCELLED'))
);
-- One running visit per phone, office and day: a second "I'm here" can only find the first.
create unique index visit_running on visit (office_id, day, phone)
  where status in ('EXPECTED', 'WAITING', 'INVITED', 'REINVITED', 'GOING');
create index visit_of_day on visit (office_id, day, created_at);
create index visit_auto_invite on visit (auto_invite_at) where status = 'WAITING' and auto_invite_at is not null;
create index visit_of_patient on visit (office_id, patient_id);

create table visit_member (
  office_id uuid not null,
  id uuid not null,
  visit_id uuid not null,
  position int not null,
  first_name text not null,
  last_name text not null,
  birth_date date,
  primary key (office_id, id),
  foreign key (office_id, visit_id) references visit (office_id, id) on delete cascade
);
create index on visit_member (office_id, visit_id, position);

create table visit_event (
  office_id uuid not null,
  id uuid not null,
  visit_id uuid not null,
  at timestamptz(3) not null,
  move text not null,
  from_status text,
  to_status text not null,
  actor text not null check (actor in ('staff', 'patient', 'timer', 'operator')),
  actor_id uuid,
  actor_name text,
  note text,
  version int not null,
  primary key (office_id, id),
  foreign key (office_id, visit_id) references visit (office_id, id) on delete cascade
);
create index on visit_event (office_id, visit_id, version);

create table visit_token (
  office_id uuid not null,
  id uuid not null,
  visit_id uuid not null,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (office_id, id),
  foreign key (office_id, visit_id) references visit (office_id, id) on delete cascade
);
create index on visit_token (office_id, visit_id);

-- The ledger of texts: claimed (queued → sending) and committed before the carrier is called.
create table text (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('message', 'invite', 'reinvite', 'link')),
  visit_id uuid,
  patient_id uuid,
  from_phone text not null,
  to_phone text not null,
  body text not null,
  state text not null default 'queued'
    check (state in ('queued', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'held', 'cancelled')),
  send_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  claimed_at timestamptz(3),
  lease_until timestamptz(3),
  worker text,
  provider_id text,
  error_class text,
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  primary key (office_id, id)
);
create index text_due on text (send_at) where state = 'queued';
create index text_leased on text (lease_until) where state = 'sending';
create index text_of_visit on text (office_id, visit_id);
create unique index text_provider on text (provider_id) where provider_id is not null;

-- What stands in the conversation of a visit; a text may carry it.
create table message (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  visit_id uuid not null,
  at timestamptz(3) not null,
  sender text not null check (sender in ('office', 'patient')),
  kind text not null check (kind in ('message', 'invite', 'reinvite', 'link')),
  by_name text,
  title text,
  body text not null,
  text_id uuid,
  primary key (office_id, id),
  foreign key (office_id, visit_id) references visit (office_id, id) on delete cascade
);
create index on message (office_id, visit_id, at);
create index on message (office_id, text_id);

create table opt_out (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  phone text not null,
  at timestamptz(3) not null,
  primary key (office_id, id),
  unique (office_id, phone)
);

-- The version behind the queue's ETag: bumped by everything the answer shows.
create table queue_version (
  office_id uuid not null references office on delete cascade,
  id date not null,
  version bigint not null,
  primary key (office_id, id)
);

-- The record: plain rows in the verb's transaction; a sealer chains them in audit_seal.
create table audit_entry (
  office_id uuid not null references office on delete cascade,
  id bigint generated always as identity,
  at timestamptz(3) not null,
  actor text not null check (actor in ('staff', 'patient', 'timer', 'operator', 'house')),
  actor_id uuid,
  action text not null,
  subject text,
  outcome text not null default 'done',
  details jsonb,
  request_id text,
  primary key (office_id, id)
);

create table audit_seal (
  office_id uuid not null references office on delete cascade,
  id bigint not null, -- place in the office's chain, from 1
  entry_id bigint not null,
  hmac bytea not null,
  sealed_at timestamptz(3) not null,
  primary key (office_id, id),
  unique (office_id, entry_id)
);

create table idempotency (
  scope text not null,
  key text not null,
  body_hash bytea not null,
  reply jsonb,
  created_at timestamptz(3) not null,
  primary key (scope, key)
);

-- What the local stand-ins would have sent out of the building.
create schema dev;
create table dev.outbox (
  id uuid primary key,
  channel text not null check (channel in ('text', 'email', 'push')),
  sender text,
  recipient text not null,
  body text not null,
  reference text,
  state text not null default 'sent',
  at timestamptz(3) not null default now()
);
create index on dev.outbox (at desc);
create index on dev.outbox (recipient, at desc);
create index on dev.outbox (reference);

-- rate-limiter-flexible's store: budgets shared by all processes, keys hashed.
create table rate_limit (
  key varchar(255) primary key,
  points int not null default 0,
  expire bigint
);
