-- Visitors of a practice's website who chat with it (decision 0062), and how the practice set up the chat.
alter table office add column chat_settings jsonb not null default '{}';

-- A visitor holds a token for one conversation. `seen_at` is written at most every half minute.
create table visitor (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  conversation_id uuid not null,
  token_hash bytea not null,
  language text not null check (language in ('en', 'es')),
  consented_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  -- They closed the page, and have not come back.
  left_at timestamptz(3),
  expires_at timestamptz(3) not null,
  -- The number they proved to be theirs.
  phone text,
  -- The code that was texted to prove a number; one at a time.
  code_phone text,
  code_hash bytea,
  code_expires_at timestamptz(3),
  code_tries int not null default 0,
  primary key (office_id, id),
  constraint visitor_conversation foreign key (office_id, conversation_id) references conversation (office_id, id) on delete cascade
);
create unique index visitor_of_conversation on visitor (office_id, conversation_id);
create unique index visitor_token on visitor (office_id, token_hash);
alter table visitor enable row level security;
alter table visitor force row level security;
create policy own_office on visitor for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on visitor to anteroom_app;
grant select on visitor to anteroom_door;
create policy door on visitor for select to anteroom_door using (true);

-- The directory leads from a visitor's token to its office. The new kind is added to those that are there, whichever they are.
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
    (select string_agg(quote_literal(kind), ', ' order by kind) from unnest(kinds || 'visitor'::text) as kind)
  );
end $$;

create function door_visitor_by_token(p_token_hash bytea, p_now timestamptz)
returns table (office_id uuid, visitor_id uuid, conversation_id uuid, seen_at timestamptz, left_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'visitor' and d.key = encode(p_token_hash, 'hex'));
  return query
  select v.office_id, v.id, v.conversation_id, v.seen_at, v.left_at
  from visitor v where v.office_id = any (offices) and v.token_hash = p_token_hash and v.expires_at > p_now;
end $$;
grant create on schema public to anteroom_door;
alter function door_visitor_by_token(bytea, timestamptz) owner to anteroom_door;
revoke create on schema public from anteroom_door;
revoke all on function door_visitor_by_token(bytea, timestamptz) from public;
grant execute on function door_visitor_by_token(bytea, timestamptz) to anteroom_app;
