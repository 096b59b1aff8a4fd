-- Codes and failed tries by who asks: strangers, a device where this person signed in before, or a locked session.

alter table auth.code add column scope text not null default 'stranger';
drop index auth.code_identifier_purpose_created_at_idx;
create index on auth.code (identifier, purpose, scope, created_at desc);
create index on auth.code (created_at);

create table auth.failed_code (
  id uuid primary key,
  identifier text not null,
  scope text not null,
  at timestamptz(3) not null
);
create index on auth.failed_code (identifier, scope, at);
create index on auth.failed_code (at);

-- Where an unlock code goes: to what the person signed in with.
alter table auth.session add column identity_id uuid references auth.identity on delete set null;
create index on auth.session (address, created_at);
create index session_open on auth.session (expires_at) where ended_at is null;

grant select, insert, update, delete on auth.failed_code to anteroom_app;
