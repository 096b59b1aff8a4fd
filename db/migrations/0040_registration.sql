-- Registration: a person fills a form in, and it becomes an office of theirs.

-- A new office is written by the app itself, as that office: the policy lets it write no other.
grant insert on office to anteroom_app;

alter table office
  add column ref_code text,
  -- the NPPES record the address was chosen from; null for a typed one
  add column address_id text;

-- One practice form: what was typed so far, and the office that came of it. Of a person, not of an office.
create table auth.registration (
  person_id uuid not null references auth.person on delete cascade,
  form_id text not null,
  draft jsonb not null default '{}',
  office_id uuid references office on delete set null,
  saved_at timestamptz(3) not null,
  registered_at timestamptz(3),
  primary key (person_id, form_id)
);

-- A stranger registered with the NPI of an office that is here already: the operator is mailed, and the office's people if asked for.
create table auth.npi_claim (
  person_id uuid not null references auth.person on delete cascade,
  office_id uuid not null references office on delete cascade,
  npi text not null,
  claimed_at timestamptz(3) not null,
  operator_mailed_at timestamptz(3),
  asked_at timestamptz(3),
  office_mailed_at timestamptz(3),
  taken_until timestamptz(3),
  tries int not null default 0,
  primary key (person_id, office_id)
);
create index on auth.npi_claim (claimed_at) where operator_mailed_at is null or (asked_at is not null and office_mailed_at is null);

grant select, insert, update, delete on auth.registration, auth.npi_claim to anteroom_app;
