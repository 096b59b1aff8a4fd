-- The local practice software's own tables: patients, appointments, claims, and the payments that were recorded there. Not idempotent, as
-- the real one.
create schema practice_software;

create table practice_software.patient (
  id uuid primary key,
  practice text not null,
  user_code text not null,
  name text not null,
  department text not null,
  unique (practice, user_code)
);

create table practice_software.appointment (
  id uuid primary key,
  patient_id uuid not null references practice_software.patient on delete cascade,
  reference text not null,
  day date not null,
  unique (patient_id, reference)
);

create table practice_software.claim (
  id uuid primary key,
  patient_id uuid not null references practice_software.patient on delete cascade,
  open_cents int not null
);
create index on practice_software.claim (patient_id);

create table practice_software.payment (
  id uuid primary key,
  patient_id uuid not null references practice_software.patient on delete cascade,
  appointment_id uuid references practice_software.appointment on delete cascade,
  claim_id uuid references practice_software.claim on delete cascade,
  method text not null,
  card_last4 text,
  amount_cents int not null check (amount_cents > 0),
  note text not null,
  at timestamptz(3) not null
);
create index on practice_software.payment (patient_id);

-- How a practice's software behaves: `refuse` and `no-answer` are the switches for "charged but not recorded".
create table practice_software.behavior (
  practice text primary key,
  mode text not null check (mode in ('refuse', 'no-answer'))
);

grant usage on schema practice_software to anteroom_app;
grant select, insert, update, delete on all tables in schema practice_software to anteroom_app;
