-- The directory lists patients by name. Patients without a name, who were texted and have not checked in yet, come last.
alter table patient add column sort_name text collate "C" not null
  generated always as (coalesce(nullif(search_words(last_name || ' ' || first_name), ''), U&'\FFFD')) stored;
create index patient_by_name on patient (office_id, sort_name, id);

-- What the search of the directory finds a patient by: words of the names and birthdays of everybody who checked in with this phone, and
-- the number. A search compares beginnings, by the unique key.
create table patient_word (
  office_id uuid not null,
  id uuid not null,
  word text collate "C" not null,
  patient_id uuid not null,
  primary key (office_id, id),
  unique (office_id, word, patient_id),
  foreign key (office_id, patient_id) references patient (office_id, id) on delete cascade
);
create index patient_word_patient on patient_word (office_id, patient_id);
alter table patient_word enable row level security;
alter table patient_word force row level security;
create policy own_office on patient_word for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on patient_word to anteroom_app;

create index visit_newest_of_patient on visit (office_id, patient_id, created_at desc);
drop index visit_of_patient;

-- An owner that is not a superuser is held by forced row-level security too.
alter table patient no force row level security;
alter table patient_word no force row level security;
alter table visit no force row level security;
alter table visit_member no force row level security;

insert into patient_word (office_id, id, word, patient_id)
select f.office_id, gen_random_uuid(), f.word, f.patient_id
from (
  select distinct p.office_id, left(w.word, 100) as word, p.patient_id
  from (
    select office_id, id as patient_id, first_name, last_name, birth_date, phone from patient
    union all
    select v.office_id, v.patient_id, m.first_name, m.last_name, m.birth_date, v.phone
    from visit_member m join visit v on v.office_id = m.office_id and v.id = m.visit_id
  ) p
  cross join lateral (
    select unnest(string_to_array(search_words(p.first_name || ' ' || p.last_name), ' ')) as word
    union all select to_char(p.birth_date, 'YYYYMMDD')
    union all select right(p.phone, n) from unnest(array[10, 7, 4]) n
  ) w
  where w.word <> ''
) f;

alter table patient force row level security;
alter table patient_word force row level security;
alter table visit force row level security;
alter table visit_member force row level security;
