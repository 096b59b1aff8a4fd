-- The agreement of an office: what was put before whom, what became of it, where the signed PDF is kept.

create table agreement (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  -- of the text
  version text not null,
  state text not null check (state in ('asking', 'open', 'signed', 'declined', 'expired', 'canceled', 'failed')),
  provider text not null,
  request_id text,
  signature_id text,
  signer_name text,
  signer_email text not null,
  asked_by uuid,
  asked_at timestamptz(3) not null,
  -- whoever asks the provider holds it so long; after that another process looks what became of it
  lease_until timestamptz(3),
  link_made_at timestamptz(3),
  viewed_at timestamptz(3),
  signed_at timestamptz(3),
  ended_at timestamptz(3),
  decline_reason text,
  file_key text,
  file_sha256 text,
  file_bytes int,
  -- when the provider is asked again how it stands, for installations that no event reaches
  check_at timestamptz(3),
  checked_at timestamptz(3),
  checks int not null default 0,
  primary key (office_id, id)
);
-- Never two at once.
create unique index agreement_running on agreement (office_id) where state in ('asking', 'open');
create unique index agreement_request on agreement (provider, request_id);
create index agreement_check on agreement (check_at) where check_at is not null;

-- What the provider's callbacks told, each once.
create table agreement_event (
  office_id uuid not null,
  id uuid not null,
  agreement_id uuid not null,
  key text not null,
  type text not null,
  at timestamptz(3) not null,
  primary key (office_id, id),
  unique (office_id, key),
  foreign key (office_id, agreement_id) references agreement (office_id, id) on delete cascade
);
create index on agreement_event (office_id, agreement_id);

-- Reminders by email: the row is the claim, so that none leaves twice.
create table agreement_reminder (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  number int not null,
  to_email text not null,
  claimed_at timestamptz(3) not null,
  lease_until timestamptz(3) not null,
  tries int not null default 1,
  sent_at timestamptz(3),
  failed_at timestamptz(3),
  primary key (office_id, id),
  unique (office_id, number)
);

do $$
declare t text;
begin
  foreach t in array array['agreement', 'agreement_event', 'agreement_reminder'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_office on %I for all to public using (office_id = current_office()) with check (office_id = current_office())', t);
    execute format('grant select, insert, update, delete on %I to anteroom_app', t);
  end loop;
  foreach t in array array['agreement', 'agreement_reminder'] loop
    execute format('grant select on %I to anteroom_door', t);
    execute format('create policy door on %I for select to anteroom_door using (true)', t);
  end loop;
end $$;

-- A callback names a request only by the provider's id.
create function door_agreement_by_request(p_provider text, p_request_id text)
returns table (office_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select a.office_id, a.id from agreement a where a.provider = p_provider and a.request_id = p_request_id
$$;

-- Job claims: agreements to look at with the provider.
create function door_due_agreements(p_now timestamptz, p_limit int)
returns table (office_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select a.office_id, a.id from agreement a where a.check_at <= p_now order by a.check_at limit p_limit
$$;

-- Job claims: offices that have not signed and are due a reminder: p_first after they came, then p_then after the last, p_most in all.
create function door_due_agreement_reminders(p_now timestamptz, p_first interval, p_then interval, p_most int, p_limit int)
returns table (office_id uuid, number int)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.id, coalesce(r.closed, 0) + 1
  from office o
  left join lateral (
    select count(*) filter (where x.sent_at is not null or x.failed_at is not null)::int as closed,
           max(coalesce(x.sent_at, x.failed_at)) as last_at,
           max(x.lease_until) filter (where x.sent_at is null and x.failed_at is null) as held_until
    from agreement_reminder x where x.office_id = o.id
  ) r on true
  where o.agreement_signed_at is null
    and o.created_at <= p_now - p_first
    and coalesce(r.closed, 0) < p_most
    and (r.last_at is null or r.last_at <= p_now - p_then)
    and (r.held_until is null or r.held_until <= p_now)
  order by o.created_at limit p_limit
$$;

grant create on schema public to anteroom_door;
do $$
declare f text;
begin
  foreach f in array array[
    'door_agreement_by_request(text, text)', 'door_due_agreements(timestamptz, int)',
    'door_due_agreement_reminders(timestamptz, interval, interval, int, int)'
  ] loop
    execute format('alter function %s owner to anteroom_door', f);
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to anteroom_app', f);
  end loop;
end $$;
revoke create on schema public from anteroom_door;

-- What the local e-signature provider keeps: it stands outside the house, like a vendor would.
create schema esign;
create table esign.request (
  id uuid primary key,
  reference text not null unique,
  title text not null,
  file_name text not null,
  signer_name text not null,
  signer_email text not null,
  place jsonb not null,
  pdf_key text not null,
  pdf_sha256 text not null,
  state text not null default 'open' check (state in ('open', 'signed', 'declined', 'expired', 'canceled')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  viewed_at timestamptz(3),
  signed_at timestamptz(3),
  ended_at timestamptz(3),
  decline_reason text,
  signed_key text
);
create index on esign.request (expires_at) where state = 'open';

-- Opens once; whoever opened it holds the page's own key from then on.
create table esign.link (
  token_hash bytea primary key,
  request_id uuid not null references esign.request on delete cascade,
  person_id uuid not null,
  signed_in_as text not null,
  language text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  opened_at timestamptz(3),
  page_hash bytea unique
);
create index on esign.link (request_id);

-- The audit trail, and the callbacks still to be told (report_at).
create table esign.event (
  id uuid primary key,
  request_id uuid not null references esign.request on delete cascade,
  type text not null,
  at timestamptz(3) not null,
  address text,
  user_agent text,
  note text,
  report_at timestamptz(3)
);
create index on esign.event (request_id, at);
create index on esign.event (report_at) where report_at is not null;

grant usage on schema esign to anteroom_app;
grant select, insert, update, delete on all tables in schema esign to anteroom_app;
