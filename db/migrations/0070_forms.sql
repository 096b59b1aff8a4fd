-- Forms: what is asked (FHIR Questionnaires, every version kept), what was answered, the files that belong to it, what was shared.

-- Questionnaires that every office has. Nothing of a patient; a version is written once and never changed.
create table built_in_form (
  id uuid primary key,
  type text not null,
  version int not null,
  -- {"en": …, "es": …}
  name jsonb not null,
  questionnaire jsonb not null,
  -- of the questionnaire's text as it came
  sha256 text not null,
  created_at timestamptz(3) not null,
  unique (type, version)
);
grant select, insert on built_in_form to anteroom_app;

-- Questionnaires an office loaded for itself.
create table form_definition (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  type text not null,
  version int not null,
  name jsonb not null,
  questionnaire jsonb not null,
  sha256 text not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  primary key (office_id, id),
  unique (office_id, type, version)
);

-- One form of one family member on one visit: a draft while it is filled, then submitted, or an amendment of an earlier one.
create table form_submission (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  visit_id uuid not null,
  member_id uuid not null,
  -- of built_in_form or form_definition
  definition_id uuid not null,
  form_type text not null,
  form_version int not null,
  form_name text not null,
  language text not null check (language in ('en', 'es')),
  state text not null default 'draft' check (state in ('draft', 'submitted', 'amended')),
  -- bumped by each saved step: two phones on one form
  version int not null,
  -- FHIR QuestionnaireResponse
  answers jsonb not null,
  -- where the patient was
  page int not null default 0,
  patient_name text not null,
  -- the same for the search: lower case, no accents
  search_name text not null,
  started_at timestamptz(3) not null,
  saved_at timestamptz(3) not null,
  completed_at timestamptz(3),
  -- of completed_at, in the office's time zone
  day date,
  signed_by text,
  outcome text check (outcome in ('clear', 'review')),
  object_key text,
  sha256 text,
  bytes int,
  amends uuid,
  superseded_at timestamptz(3),
  primary key (office_id, id),
  foreign key (office_id, visit_id) references visit (office_id, id) on delete cascade,
  foreign key (office_id, member_id) references visit_member (office_id, id) on delete cascade,
  check ((state = 'draft') = (completed_at is null)),
  check (state = 'draft' or (day is not null and object_key is not null and sha256 is not null and bytes is not null))
);
-- One draft and one valid submission of a form: two phones find the same row.
create unique index form_draft on form_submission (office_id, visit_id, member_id, form_type) where state = 'draft';
create unique index form_valid on form_submission (office_id, visit_id, member_id, form_type)
  where state <> 'draft' and superseded_at is null;
create unique index form_by_key on form_submission (office_id, object_key) where object_key is not null;
-- The forms list, newest first, answered from the index alone.
create index form_list on form_submission (office_id, completed_at desc, id desc) include (day, form_type, search_name)
  where state <> 'draft' and superseded_at is null;

-- What lies in the file store for a visit: photos, drawn signatures, the PDFs. The row is written before the file and says when it is
-- used, so that what a crash or a changed mind left behind is found and removed.
create table form_file (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  visit_id uuid not null,
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
  foreign key (office_id, visit_id) references visit (office_id, id) on delete cascade
);
create index on form_file (office_id, visit_id);
create index form_file_unused on form_file (office_id, created_at) where used_at is null;

-- Counts what was filed on a day, so that a kept answer knows whether it is still right.
create table form_day (
  office_id uuid not null references office on delete cascade,
  id date not null,
  version bigint not null,
  primary key (office_id, id)
);

-- The ids a filter finds, newest first, 16 bytes each: a page is a slice of it, and its length the total. Lost in a crash, it is made again.
create unlogged table form_filter (
  office_id uuid not null references office on delete cascade,
  -- the filter, hashed: it may hold a name
  id text not null,
  version bigint not null,
  ids bytea not null,
  kept_at timestamptz(3) not null,
  primary key (office_id, id)
);
alter table form_filter alter column ids set storage external;

-- A link by which a patient shows forms to somebody outside.
create table share_link (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  visit_id uuid not null,
  token_hash bytea not null unique,
  shared_with text not null,
  submission_ids uuid[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (office_id, id),
  foreign key (office_id, visit_id) references visit (office_id, id) on delete cascade
);
create index on share_link (office_id, visit_id);

-- Who opened it when: the browser as it names itself, and which form (null: the list).
create table share_open (
  office_id uuid not null,
  id uuid not null,
  share_id uuid not null,
  submission_id uuid,
  at timestamptz(3) not null,
  address text,
  user_agent text,
  primary key (office_id, id),
  foreign key (office_id, share_id) references share_link (office_id, id) on delete cascade
);
create index on share_open (office_id, share_id, at);

do $$
declare t text;
begin
  foreach t in array array['form_definition', 'form_submission', 'form_file', 'form_day', 'form_filter', 'share_link', 'share_open'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_office on %I for all to public using (office_id = current_office()) with check (office_id = current_office())', t);
    execute format('grant select, insert, update, delete on %I to anteroom_app', t);
  end loop;
end $$;

-- Every form an office can use, built in or its own, each in its newest version.
create view known_form with (security_invoker = true) as
select distinct on (office_id, type) office_id, id, type, version, name, own
from (
  select office_id, id, type, version, name, true as own from form_definition
  union all
  select o.id, b.id, b.type, b.version, b.name, false from built_in_form b cross join office o
) f
order by office_id, type, own desc, version desc;
grant select on known_form to anteroom_app;

-- A shared link's token: whose it is. Also of one that is over, so that the visitor is told so.
grant select on share_link to anteroom_door;
create policy door on share_link for select to anteroom_door using (true);
create function door_share_by_token(p_token_hash bytea)
returns table (office_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.office_id, s.id from share_link s where s.token_hash = p_token_hash
$$;
grant create on schema public to anteroom_door;
alter function door_share_by_token(bytea) owner to anteroom_door;
revoke all on function door_share_by_token(bytea) from public;
grant execute on function door_share_by_token(bytea) to anteroom_app;
revoke create on schema public from anteroom_door;

-- One page of the list: the filter's ids are kept as long as nothing was filed on its days, so every page costs the same.
create function form_page(
  p_office uuid, p_filter text, p_type text, p_from date, p_to date, p_words text[], p_page int, p_size int, p_now timestamptz
) returns table (total int, items json)
language plpgsql volatile as $$
declare
  the_version bigint;
  kept_total int;
  page_ids bytea;
  all_ids bytea;
begin
  select coalesce(sum(d.version), 0)::bigint into the_version from form_day d
  where d.office_id = p_office and d.id between coalesce(p_from, '-infinity') and coalesce(p_to, 'infinity');

  select length(f.ids) / 16, substr(f.ids, (p_page - 1) * p_size * 16 + 1, p_size * 16) into kept_total, page_ids
  from form_filter f where f.office_id = p_office and f.id = p_filter and f.version = the_version;

  if kept_total is null then
    select coalesce(string_agg(uuid_send(s.id), ''::bytea order by s.completed_at desc, s.id desc), '') into all_ids
    from form_submission s
    where s.office_id = p_office and s.state <> 'draft' and s.superseded_at is null
      and (p_type is null or s.form_type = p_type)
      and (p_from is null or s.day >= p_from)
      and (p_to is null or s.day <= p_to)
      and not exists (select from unnest(p_words) w where strpos(' ' || s.search_name, ' ' || w) = 0);
    delete from form_filter f where f.office_id = p_office
      and (f.kept_at < p_now - interval '1 day'
           or f.id in (select o.id from form_filter o where o.office_id = p_office order by o.kept_at desc offset 99));
    insert into form_filter as f (office_id, id, version, ids, kept_at) values (p_office, p_filter, the_version, all_ids, p_now)
    on conflict (office_id, id) do update set version = excluded.version, ids = excluded.ids, kept_at = excluded.kept_at;
    kept_total := length(all_ids) / 16;
    page_ids := substr(all_ids, (p_page - 1) * p_size * 16 + 1, p_size * 16);
  end if;

  return query
  select kept_total, coalesce(json_agg(json_build_object(
    'id', s.id, 'objectKey', s.object_key, 'patientName', s.patient_name, 'completedAt', iso(s.completed_at), 'formType', s.form_type,
    'formName', s.form_name, 'outcome', s.outcome, 'state', s.state, 'bytes', s.bytes, 'visitId', s.visit_id
  ) order by p.place), '[]')
  from generate_series(0, length(page_ids) / 16 - 1) p(place)
  join form_submission s on s.office_id = p_office and s.id = encode(substr(page_ids, p.place * 16 + 1, 16), 'hex')::uuid;
end $$;
grant execute on function form_page to anteroom_app;
