-- A PIN that unlocks one person's locked sessions on one device (docs/decisions/0120). It goes with the device's row: signing the device out
-- from elsewhere removes it.
create table auth.device_pin (
  device_id uuid not null,
  person_id uuid not null,
  -- scrypt of a keyed hash: neither the table nor the key alone is enough to try all PINs.
  pin_hash bytea not null,
  salt bytea not null,
  -- Wrong tries since the last right one. The fifth removes the row.
  wrong_tries smallint not null default 0 check (wrong_tries between 0 and 4),
  set_at timestamptz(3) not null,
  primary key (device_id, person_id),
  foreign key (device_id, person_id) references auth.known_device (device_id, person_id) on delete cascade
);

grant select, insert, update, delete on auth.device_pin to anteroom_app;
