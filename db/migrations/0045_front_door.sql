-- Before an office is entered: requests for a demonstration, the payments question, the partner's door.
-- None of it is a patient's, and none belongs to an office yet.

create table demo_request (
  id uuid primary key,
  name text not null,
  practice text not null,
  email text not null,
  phone text,
  wish text,
  created_at timestamptz(3) not null,
  -- who mails it now takes it until then; null when nobody does
  taken_until timestamptz(3),
  tries int not null default 0,
  -- null as long as the operator has not been told
  mailed_at timestamptz(3)
);
create index demo_request_to_mail on demo_request (created_at) where mailed_at is null;
create index on demo_request (email, created_at);
grant select, insert, update, delete on demo_request to anteroom_app;

-- When the office said it wants card payments; null when it was not asked, or skipped the question.
alter table office add column payments_wanted_at timestamptz(3);

-- By which door the office came: 'regular', or the partner's name.
alter table office add column if not exists onboarding_type text not null default 'regular';

-- What a practice typed at the partner's door, until its email is confirmed and its office is made.
create table partner_application (
  partner text not null,
  email text not null,
  details jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (partner, email)
);
create index on partner_application (updated_at);
grant select, insert, update, delete on partner_application to anteroom_app;
