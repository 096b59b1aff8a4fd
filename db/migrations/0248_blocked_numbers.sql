-- The numbers that get no texts from a practice, and why: the only place that knows it. STOP counts more than a landline.
create view blocked_number with (security_invoker = true) as
select o.office_id, o.phone, 'opted-out' as block from opt_out o
union all
select l.office_id, l.phone, 'landline' from landline l
where not exists (select from opt_out o where o.office_id = l.office_id and o.phone = l.phone);
grant select on blocked_number to anteroom_app, anteroom_door;

grant select on landline to anteroom_door;
create policy door on landline for select to anteroom_door using (true);

-- A claim says why its number gets no text. `opted_out` is for processes of the previous version: they send nothing to a blocked number.
drop function door_claim_texts(text, timestamptz, interval, int);
create function door_claim_texts(p_worker text, p_now timestamptz, p_lease interval, p_limit int)
returns table (
  office_id uuid, id uuid, from_phone text, to_phone text, body text, needs_link boolean, sealed_link bytea, send_at timestamptz,
  tries int, opted_out boolean, appointment_at timestamptz, block text
)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  due record;
  remaining int := p_limit;
  claimed int;
begin
  for due in
    select f.office_id, array_agg(f.id order by f.send_at) as ids
    from (
      select t.office_id, t.id, t.send_at from text t
      where t.state = 'queued' and t.send_at <= p_now and (t.retry_at is null or t.retry_at <= p_now)
      order by t.send_at limit p_limit * 4
    ) f
    group by f.office_id order by min(f.send_at)
  loop
    exit when remaining <= 0;
    return query
    with due_row as materialized (
      select d.id
      from unnest(due.ids) as wanted(id)
      cross join lateral (
        select l.id, l.retry_at, l.send_at, l.state from text l
        where l.office_id = due.office_id and l.id = wanted.id offset 0 for update skip locked
      ) d
      where d.state = 'queued' and d.send_at <= p_now and (d.retry_at is null or d.retry_at <= p_now)
      limit remaining
    )
    update text t
    set state = 'sending', claimed_at = clock_timestamp(), lease_until = clock_timestamp() + p_lease, worker = p_worker,
        tries = t.tries + 1
    from due_row
    where t.office_id = due.office_id and t.id = due_row.id
    returning t.office_id, t.id, t.from_phone, t.to_phone, t.body, t.needs_link, t.sealed_link, t.send_at, t.tries,
      t.kind <> 'notice' and exists (select from blocked_number b where b.office_id = due.office_id and b.phone = t.to_phone),
      t.appointment_at,
      case when t.kind <> 'notice' then
        (select b.block from blocked_number b where b.office_id = due.office_id and b.phone = t.to_phone)
      end;
    get diagnostics claimed = row_count;
    remaining := remaining - claimed;
  end loop;
end $$;

grant create on schema public to anteroom_door;
alter function door_claim_texts(text, timestamptz, interval, int) owner to anteroom_door;
revoke all on function door_claim_texts(text, timestamptz, interval, int) from public;
grant execute on function door_claim_texts(text, timestamptz, interval, int) to anteroom_app;
revoke create on schema public from anteroom_door;
