-- Claims go office by office, because a distributed PostgreSQL refuses to lock rows of several offices in one statement. One look without
-- locks finds due rows, the longest due first; then one statement per office claims its rows, unless another process is claiming them or
-- has just done so. The look goes further than the limit, so that processes that claim at the same moment find different rows.
--
-- `offset 0` keeps the conditions out of the innermost query, which so reads the primary key. Otherwise the planner takes the index of due
-- rows for as good when its statistics are from a quiet time, and reads the rows of all offices for each of them. `materialized` claims
-- once: a join may otherwise run the claim for every row it meets, and take more rows than the limit.

create or replace function door_claim_texts(p_worker text, p_now timestamptz, p_lease interval, p_limit int)
returns table (
  office_id uuid, id uuid, from_phone text, to_phone text, body text, needs_link boolean, sealed_link bytea, send_at timestamptz,
  tries int, opted_out boolean
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
      t.kind <> 'notice' and exists (select from opt_out o where o.office_id = due.office_id and o.phone = t.to_phone);
    get diagnostics claimed = row_count;
    remaining := remaining - claimed;
  end loop;
end $$;

create or replace function door_take_over_texts(p_worker text, p_lease interval, p_limit int)
returns table (office_id uuid, id uuid, from_phone text, to_phone text, claimed_at timestamptz, claimed_ms_ago float8)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  due record;
  remaining int := p_limit;
  claimed int;
begin
  for due in
    select f.office_id, array_agg(f.id order by f.lease_until) as ids
    from (
      select t.office_id, t.id, t.lease_until from text t
      where t.state = 'sending' and t.lease_until <= clock_timestamp()
      order by t.lease_until limit p_limit * 4
    ) f
    group by f.office_id order by min(f.lease_until)
  loop
    exit when remaining <= 0;
    return query
    with due_row as materialized (
      select d.id
      from unnest(due.ids) as wanted(id)
      cross join lateral (
        select l.id, l.lease_until, l.state from text l
        where l.office_id = due.office_id and l.id = wanted.id offset 0 for update skip locked
      ) d
      where d.state = 'sending' and d.lease_until <= clock_timestamp()
      limit remaining
    )
    update text t
    set lease_until = clock_timestamp() + p_lease, worker = p_worker
    from due_row
    where t.office_id = due.office_id and t.id = due_row.id
    returning t.office_id, t.id, t.from_phone, t.to_phone, t.claimed_at,
      (extract(epoch from clock_timestamp() - t.claimed_at) * 1000)::float8;
    get diagnostics claimed = row_count;
    remaining := remaining - claimed;
  end loop;
end $$;

create or replace function door_claim_pushes(p_now timestamptz, p_lease interval, p_limit int)
returns table (office_id uuid, id uuid, endpoint text, p256dh text, auth text, language text, due_at timestamptz, tries int)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  due record;
  remaining int := p_limit;
  claimed int;
begin
  for due in
    select f.office_id, array_agg(f.id order by f.due_at) as ids
    from (
      select s.office_id, s.id, s.due_at from push_subscription s
      where s.due_at <= p_now and (s.retry_at is null or s.retry_at <= p_now)
        and (s.lease_until is null or s.lease_until <= clock_timestamp())
      order by s.due_at limit p_limit * 4
    ) f
    group by f.office_id order by min(f.due_at)
  loop
    exit when remaining <= 0;
    return query
    with due_row as materialized (
      select d.id
      from unnest(due.ids) as wanted(id)
      cross join lateral (
        select l.id, l.due_at, l.lease_until, l.retry_at from push_subscription l
        where l.office_id = due.office_id and l.id = wanted.id offset 0 for update skip locked
      ) d
      where d.due_at <= p_now and (d.retry_at is null or d.retry_at <= p_now)
        and (d.lease_until is null or d.lease_until <= clock_timestamp())
      limit remaining
    )
    update push_subscription s
    set lease_until = clock_timestamp() + p_lease, tries = s.tries + 1
    from due_row
    where s.office_id = due.office_id and s.id = due_row.id
    returning s.office_id, s.id, s.endpoint, s.p256dh, s.auth, s.language, s.due_at, s.tries;
    get diagnostics claimed = row_count;
    remaining := remaining - claimed;
  end loop;
end $$;
