-- A practice's application to take card payments. The answers of the first two steps are ours; owner, tax id and bank account are given on
-- the provider's own pages and never reach us. The link to those pages is made on each click and stored nowhere.
create table merchant_application (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  state text not null default 'draft' check (state in ('draft', 'open', 'processing', 'approved', 'rejected')),
  provider text not null,
  begun_by uuid,
  begun_at timestamptz(3) not null,
  address_answers jsonb,
  details_answers jsonb,
  form_id text,
  -- Whoever asks the provider for a form holds the application until then; afterwards another call may ask again.
  lease_until timestamptz(3),
  link_made_at timestamptz(3),
  identity_id text,
  merchant_id text,
  bank_on_file boolean not null default false,
  bank_last_four text check (bank_last_four ~ '^[0-9]{4}$'),
  submitted_at timestamptz(3),
  decided_at timestamptz(3),
  -- When the provider is asked again how it stands, for installations that no event reaches.
  check_at timestamptz(3),
  checked_at timestamptz(3),
  checks int not null default 0,
  primary key (office_id, id)
);
-- One application at a time; a rejected one may be followed by another.
create unique index merchant_application_running on merchant_application (office_id) where state <> 'rejected';
create unique index merchant_application_form on merchant_application (office_id, provider, form_id);
create index merchant_application_check on merchant_application (check_at) where check_at is not null;

-- What the provider's callbacks reported, each once.
create table merchant_event (
  office_id uuid not null,
  id uuid not null,
  application_id uuid not null,
  key text not null,
  type text not null,
  at timestamptz(3) not null,
  primary key (office_id, id),
  unique (office_id, key),
  foreign key (office_id, application_id) references merchant_application (office_id, id) on delete cascade
);
create index on merchant_event (office_id, application_id);

do $$
declare t text;
begin
  foreach t in array array['merchant_application', 'merchant_event'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_office on %I for all to public using (office_id = current_office()) with check (office_id = current_office())', t);
    execute format('grant select, insert, update, delete on %I to anteroom_app', t);
  end loop;
end $$;
grant select on merchant_application to anteroom_door;
create policy door on merchant_application for select to anteroom_door using (true);

-- The directory leads from a provider's form or identity to its office. The new kind is added to those that are there, whichever they are.
do $$
declare
  kinds text[];
begin
  select array_agg(part[1] order by part[1]) into kinds
  from pg_constraint c, regexp_matches(pg_get_constraintdef(c.oid), '''([a-z_]+)''::text', 'g') as part
  where c.conrelid = 'auth.office_directory'::regclass and c.conname = 'office_directory_kind_check';
  alter table auth.office_directory drop constraint office_directory_kind_check;
  execute format(
    'alter table auth.office_directory add constraint office_directory_kind_check check (kind in (%s))',
    (select string_agg(quote_literal(kind), ', ' order by kind) from unnest(kinds || 'merchant'::text) as kind)
  );
end $$;

-- A callback names a form or an identity only by the provider's id.
create function door_offices_by_merchant_key(p_key text) returns table (office_id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.office_id from auth.office_directory d where d.kind = 'merchant' and d.key = p_key
$$;

-- Applications whose check is due, of all offices; the job then works office by office.
create function door_due_merchant_applications(p_now timestamptz, p_limit int) returns table (office_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select a.office_id, a.id from merchant_application a where a.check_at <= p_now order by a.check_at limit p_limit
$$;

grant create on schema public to anteroom_door;
do $$
declare f text;
begin
  foreach f in array array['door_offices_by_merchant_key(text)', 'door_due_merchant_applications(timestamptz, int)'] loop
    execute format('alter function %s owner to anteroom_door', f);
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to anteroom_app', f);
  end loop;
end $$;
revoke create on schema public from anteroom_door;

-- What the local payment provider keeps: it stands outside every office, as a vendor would. Of a tax id or account it keeps the last four
-- digits only.
create schema merchant;
create table merchant.form (
  id uuid primary key,
  reference text not null unique,
  state text not null default 'open' check (state in ('open', 'processing', 'approved', 'rejected')),
  language text not null check (language in ('en', 'es')),
  answers jsonb not null default '{}',
  -- The steps that are complete, so that a resumed form opens at the first that is not.
  done int not null default 0,
  return_url text not null,
  expired_url text not null,
  created_at timestamptz(3) not null,
  submitted_at timestamptz(3),
  decided_at timestamptz(3),
  -- What the review decides, and when; null to leave it undecided.
  decision text check (decision in ('approved', 'rejected')),
  decide_at timestamptz(3),
  identity_id text unique,
  merchant_id text,
  bank_last_four text
);
create index on merchant.form (decide_at) where state = 'processing' and decide_at is not null;

-- A link opens the form until it expires, as often as wanted.
create table merchant.link (
  token_hash bytea primary key,
  form_id uuid not null references merchant.form on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index on merchant.link (form_id);

-- The callbacks still to be sent (report_at).
create table merchant.event (
  id uuid primary key,
  form_id uuid not null references merchant.form on delete cascade,
  type text not null,
  at timestamptz(3) not null,
  report_at timestamptz(3)
);
create index on merchant.event (form_id);
create index on merchant.event (report_at) where report_at is not null;

grant usage on schema merchant to anteroom_app;
grant select, insert, update, delete on all tables in schema merchant to anteroom_app;
