-- Tries of sign-in codes. A try locks and updates one row per identifier, purpose and scope, whether or not a code was sent, so that neither
-- the answer nor the work behind it tells whether there is a code.
create table auth.code_try (
  -- Keyed hash of the identifier, purpose and scope.
  key bytea primary key,
  -- The code that the tries were counted for; null when there was none.
  code_id uuid,
  tries int not null default 0,
  tried_at timestamptz(3) not null
);
create index on auth.code_try (tried_at);
alter table auth.code drop column tries;

-- Every failed try is recorded; only a try of a code that was still good counts towards the day's limit.
alter table auth.failed_code add column is_counted boolean not null default true;

grant select, insert, update, delete on auth.code_try to anteroom_app;
