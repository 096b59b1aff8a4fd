-- An office's membership as last seen at the card provider (`membership` is who belongs to it). The provider's state counts; this is what the dashboards read.
create table membership_plan (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  -- the answer of the card provider, in the contract's shape; null before the first look
  subscription jsonb,
  -- each look at the provider takes a turn before it; an older look never replaces what a later one saw
  turn int not null default 0,
  saved_turn int not null default 0,
  seen_at timestamptz(3),
  primary key (office_id, id),
  unique (office_id)
);

-- What the provider's callbacks told, each once.
create table membership_event (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  key text not null,
  type text not null,
  at timestamptz(3) not null,
  primary key (office_id, id),
  unique (office_id, key)
);

do $$
declare t text;
begin
  foreach t in array array['membership_plan', 'membership_event'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_office on %I for all to public using (office_id = current_office()) with check (office_id = current_office())', t);
    execute format('grant select, insert, update, delete on %I to anteroom_app', t);
  end loop;
end $$;
