-- One page of the list, as before; the planner is told that a page is short (a series it takes for a thousand rows made it read the table).
create or replace function form_page(
  p_office uuid, p_filter text, p_type text, p_from date, p_to date, p_words text[], p_page int, p_size int, p_now timestamptz
) returns table (total int, items json)
language plpgsql volatile as $$
declare
  the_version bigint;
  kept_total int;
  page_bytes bytea;
  all_ids bytea;
  page_ids uuid[];
begin
  select coalesce(sum(d.version), 0)::bigint into the_version from form_day d
  where d.office_id = p_office and d.id between coalesce(p_from, '-infinity') and coalesce(p_to, 'infinity');

  select length(f.ids) / 16, substr(f.ids, (p_page - 1) * p_size * 16 + 1, p_size * 16) into kept_total, page_bytes
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
    page_bytes := substr(all_ids, (p_page - 1) * p_size * 16 + 1, p_size * 16);
  end if;

  page_ids := array(
    select encode(substr(page_bytes, n * 16 + 1, 16), 'hex')::uuid from generate_series(0, length(page_bytes) / 16 - 1) n order by n
  );
  return query
  select kept_total, coalesce(json_agg(json_build_object(
    'id', s.id, 'objectKey', s.object_key, 'patientName', s.patient_name, 'completedAt', iso(s.completed_at), 'formType', s.form_type,
    'formName', s.form_name, 'outcome', s.outcome, 'state', s.state, 'bytes', s.bytes, 'visitId', s.visit_id
  ) order by p.place), '[]')
  from unnest(page_ids) with ordinality p(id, place)
  cross join lateral (select * from form_submission f where f.office_id = p_office and f.id = p.id offset 0) s;
end $$;
