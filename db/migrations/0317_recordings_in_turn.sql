-- The practices take turns: one with many payments to record, or a software that is slow, does not fill the whole batch.
create or replace function door_due_recordings(p_now timestamptz, p_limit int) returns table (office_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.office_id, d.id from (
    select g.office_id, g.id, g.check_at, row_number() over (partition by g.office_id order by g.check_at, g.id) as place
    from payment_recording g where g.check_at <= p_now
  ) d where d.place <= 5 order by d.place, d.check_at limit p_limit
$$;
