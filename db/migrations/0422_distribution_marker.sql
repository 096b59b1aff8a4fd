-- A row while `script/anteroom database distribute` moves the rows of the tables, and after it was interrupted: then no server may start
-- (server/kit/db/distribution-marker.ts).
create table auth.distribution (
  only_one boolean primary key default true check (only_one),
  began_at timestamptz(3) not null
);
grant select on auth.distribution to anteroom_app;
