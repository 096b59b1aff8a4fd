-- A number that is rented from a carrier for a practice: which one is bought is committed before it is bought, so that a process that
-- dies in between leaves no number behind that nobody knows of. No practice's data: the key is a hash.
create table auth.number_order (
  id uuid primary key,
  -- Of the practice that orders; null once a practice has the number.
  key text unique,
  phone text unique,
  chosen_at timestamptz(3),
  phone_sid text,
  service_sid text,
  -- Bought, in its Messaging Service, and ready for a practice.
  ready_at timestamptz(3),
  -- The process that works on it, by the database's clock.
  lease_until timestamptz(3),
  -- By the practice of the key; an order that nobody comes back to is given to another one.
  ordered_at timestamptz(3) not null
);
grant select, insert, update on auth.number_order to anteroom_app;
