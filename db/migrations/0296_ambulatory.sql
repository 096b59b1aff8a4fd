-- Patients after a surgery or treatment: episodes, their links, their surveys and files (decision 0068).
alter table office add column ambu_settings jsonb not null default '{}';

-- One surgery or treatment of one patient. The scores, the type and the time are those of the newest survey: the list sorts by them.
create table episode (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  patient_id uuid not null,
  name text not null,
  sort_name text collate "C" not null generated always as (coalesce(nullif(search_words(name), ''), U&'\FFFD')) stored,
  phone text not null,
  email text,
  language text not null check (language in ('en', 'es')),
  -- The day of the surgery or treatment; day 1 is the day after it.
  held_on date not null,
  state text not null check (state in ('pending', 'active', 'ended')),
  ended_by text check (ended_by in ('withdrawal', 'patient', 'office')),
  invited_at timestamptz(3) not null,
  consented_at timestamptz(3),
  -- The newest text about it.
  text_id uuid,
  -- When the job looks at it next; null if nothing is left to do.
  next_at timestamptz(3),
  stationary_pain int check (stationary_pain between 0 and 10),
  movement_pain int check (movement_pain between 0 and 10),
  last_type text check (last_type in ('ambu-survey-day', 'ambu-satisfaction')),
  last_submitted_at timestamptz(3),
  notes text not null default '',
  notes_version int not null default 0,
  notes_at timestamptz(3),
  notes_by text,
  primary key (office_id, id),
  constraint episode_patient foreign key (office_id, patient_id) references patient (office_id, id) on delete cascade,
  check ((state = 'ended') = (ended_by is not null)),
  check (state <> 'active' or consented_at is not null)
);
-- Two invitations of one number at once: one of them is made.
create unique index episode_invited on episode (office_id, phone) where state = 'pending';
create index episode_of_phone on episode (office_id, phone);
create index episode_of_patient on episode (office_id, patient_id);
create index episode_newest on episode (office_id, invited_at desc, id desc);
create index episode_by_name on episode (office_id, sort_name, id);
create index episode_by_stationary_pain on episode (office_id, stationary_pain desc nulls last, id desc);
create index episode_by_least_stationary_pain on episode (office_id, stationary_pain nulls last, id desc);
create index episode_by_movement_pain on episode (office_id, movement_pain desc nulls last, id desc);
create index episode_by_least_movement_pain on episode (office_id, movement_pain nulls last, id desc);
create index episode_due on episode (next_at) where next_at is not null;

-- Each text has a link of its own; only the token's hash is stored.
create table episode_link (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  episode_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (office_id, id),
  constraint episode_link_episode foreign key (office_id, episode_id) references episode (office_id, id) on delete cascade
);
create unique index episode_link_token on episode_link (office_id, token_hash);
create index episode_link_of_episode on episode_link (office_id, episode_id);

-- A survey that was asked: a draft while it is filled, then submitted.
create table survey (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  episode_id uuid not null,
  type text not null check (type in ('ambu-survey-day', 'ambu-satisfaction')),
  day int not null check (day >= 1),
  due_on date not null,
  open_until timestamptz(3) not null,
  -- Of built_in_form or form_definition.
  definition_id uuid not null,
  form_type text not null,
  form_version int not null,
  form_name jsonb not null,
  photo boolean not null,
  created_at timestamptz(3) not null,
  text_id uuid,
  texted_at timestamptz(3),
  -- How many reminders are over: sent, or left out because it was night.
  reminders_over int not null default 0,
  reminders_sent int not null default 0,
  -- Raised by each saved step: two phones on one survey.
  version int not null default 0,
  page int not null default 0,
  -- Flat while it is a draft, a FHIR QuestionnaireResponse once it is submitted.
  answers jsonb,
  saved_at timestamptz(3),
  submitted_at timestamptz(3),
  language text check (language in ('en', 'es')),
  stationary_pain int check (stationary_pain between 0 and 10),
  movement_pain int check (movement_pain between 0 and 10),
  advice text check (advice in ('none', 'call-office', 'call-911')),
  raised_callback boolean not null default false,
  object_key text,
  sha256 text,
  bytes int,
  primary key (office_id, id),
  constraint survey_episode foreign key (office_id, episode_id) references episode (office_id, id) on delete cascade,
  check (num_nulls(submitted_at, language, advice, object_key, sha256, bytes) in (0, 6))
);
create unique index survey_of_day on survey (office_id, episode_id, day);
create unique index survey_satisfaction on survey (office_id, episode_id) where type = 'ambu-satisfaction';
create unique index survey_by_key on survey (office_id, object_key) where object_key is not null;
-- The office's medians by day, from the index alone.
create index survey_pain on survey (office_id, submitted_at) include (type, day, stationary_pain, movement_pain) where submitted_at is not null;

-- What is in the file store for an episode. The row is written before the file and says when it is used, so that leftovers are found.
create table episode_file (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  episode_id uuid not null,
  kind text not null check (kind in ('photo', 'signature', 'pdf')),
  object_key text not null,
  content_type text not null,
  bytes int,
  sha256 text,
  width int,
  height int,
  created_at timestamptz(3) not null,
  stored_at timestamptz(3),
  used_at timestamptz(3),
  primary key (office_id, id),
  constraint episode_file_episode foreign key (office_id, episode_id) references episode (office_id, id) on delete cascade
);
create index episode_file_of_episode on episode_file (office_id, episode_id);
create index episode_file_unused on episode_file (office_id, created_at) where used_at is null;

-- What the office asks on which day. The day of the satisfaction survey follows from the last one, so it has none.
create table planned_survey (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  type text not null check (type in ('ambu-survey-day', 'ambu-satisfaction')),
  day int check (day >= 1),
  form_type text not null,
  photo boolean not null default false,
  primary key (office_id, id),
  check ((type = 'ambu-satisfaction') = (day is null))
);
create unique index planned_survey_day on planned_survey (office_id, day) where day is not null;
create unique index planned_survey_satisfaction on planned_survey (office_id) where type = 'ambu-satisfaction';

-- A patient whom a nurse should call.
create table nurse_callback (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  episode_id uuid not null,
  version int not null default 1,
  state text not null check (state in ('open', 'taken', 'closed')),
  -- [{"code": …, "detail": {"en": …, "es": …}}]
  reasons jsonb not null,
  raised_at timestamptz(3) not null,
  day int not null,
  -- When the patient asked to be called, if they did.
  asked_at timestamptz(3),
  taken_by uuid,
  taken_by_name text,
  taken_at timestamptz(3),
  closed_by uuid,
  closed_by_name text,
  closed_at timestamptz(3),
  note text not null default '',
  primary key (office_id, id),
  constraint nurse_callback_episode foreign key (office_id, episode_id) references episode (office_id, id) on delete cascade,
  check ((state = 'closed') = (closed_at is not null)),
  check (state <> 'taken' or taken_by is not null)
);
-- Reasons that come while one is open join it.
create unique index nurse_callback_open on nurse_callback (office_id, episode_id) where state = 'open';
create index nurse_callback_of_episode on nurse_callback (office_id, episode_id, raised_at desc);
create index nurse_callback_waiting on nurse_callback (office_id, raised_at) where state <> 'closed';
create index nurse_callback_closed on nurse_callback (office_id, closed_at desc) where state = 'closed';

do $$
declare t text;
begin
  foreach t in array array['episode', 'episode_link', 'survey', 'episode_file', 'planned_survey', 'nurse_callback'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_office on %I for all to public using (office_id = current_office()) with check (office_id = current_office())', t);
    execute format('grant select, insert, update, delete on %I to anteroom_app', t);
  end loop;
  foreach t in array array['episode', 'episode_link'] loop
    execute format('grant select on %I to anteroom_door', t);
    execute format('create policy door on %I for select to anteroom_door using (true)', t);
  end loop;
end $$;

-- The directory leads from a link's token to its office. The new kind is added to those that are there, whichever they are.
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
    (select string_agg(quote_literal(kind), ', ' order by kind) from unnest(kinds || 'episode_link'::text) as kind)
  );
end $$;

create function door_episode_by_token(p_token_hash bytea, p_now timestamptz)
returns table (office_id uuid, episode_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'episode_link' and d.key = encode(p_token_hash, 'hex'));
  return query
  select l.office_id, l.episode_id
  from episode_link l where l.office_id = any (offices) and l.token_hash = p_token_hash and l.expires_at > p_now;
end $$;

-- A look without locks: each episode is then locked and judged again in its office's transaction.
create function door_due_episodes(p_now timestamptz, p_limit int)
returns table (office_id uuid, episode_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  select e.office_id, e.id from episode e where e.next_at <= p_now order by e.next_at limit p_limit;
end $$;

grant create on schema public to anteroom_door;
do $$
declare f record;
begin
  for f in select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
           where n.nspname = 'public' and p.proname in ('door_episode_by_token', 'door_due_episodes')
  loop
    execute format('alter function %s owner to anteroom_door', f.name);
    execute format('revoke all on function %s from public', f.name);
    execute format('grant execute on function %s to anteroom_app', f.name);
  end loop;
end $$;
revoke create on schema public from anteroom_door;
