-- `covid` and `patientCovidWarning` of a queue entry are of the COVID screening. They said so of every form that has an outcome.
do $$
declare
  entry text := pg_get_viewdef('queue_entry'::regclass);
  of_covid text := regexp_replace(entry, 's\.superseded_at IS NULL(\)+ c ON )', 's.superseded_at IS NULL AND s.form_type = ''covid-screening''\1');
begin
  if of_covid = entry then
    raise exception 'queue_entry has no screenings to narrow';
  end if;
  execute 'create or replace view queue_entry with (security_invoker = true) as ' || of_covid;
end $$;
select make_queue_functions();

-- The stored answers call other forms COVID.
alter table queue_answer no force row level security;
alter table queue_version no force row level security;
delete from queue_answer;
update queue_version set version = version + 1;
alter table queue_answer force row level security;
alter table queue_version force row level security;
