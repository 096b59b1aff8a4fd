-- Payments are looked up, and entered in the practice software, by two jobs: a practice software that does not answer holds up no look-up.
create or replace function door_due_payments(p_now timestamptz, p_limit int)
returns table (office_id uuid, id uuid, kind text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.office_id, d.id, d.kind from (
    (select p.office_id, p.id, 'payment' as kind, p.check_at from payment p where p.check_at <= p_now order by p.check_at limit p_limit)
    union all
    (select r.office_id, r.id, 'refund', r.check_at from payment_refund r where r.check_at <= p_now order by r.check_at limit p_limit)
  ) d order by d.check_at limit p_limit
$$;

create function door_due_recordings(p_now timestamptz, p_limit int) returns table (office_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select g.office_id, g.id from payment_recording g where g.check_at <= p_now order by g.check_at limit p_limit
$$;
grant create on schema public to anteroom_door;
alter function door_due_recordings(timestamptz, int) owner to anteroom_door;
revoke all on function door_due_recordings(timestamptz, int) from public;
grant execute on function door_due_recordings(timestamptz, int) to anteroom_app;
revoke create on schema public from anteroom_door;
