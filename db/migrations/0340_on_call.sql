-- What whoever is on call must know of all offices at once: texts that should have left, texts whose fate nobody knows, and entries of the
-- audit log that are not in their office's chain yet. Counts and ages only.
grant select (office_id, id, at) on audit_entry to anteroom_door;
grant select (office_id, entry_id) on audit_seal to anteroom_door;
create policy door on audit_entry for select to anteroom_door using (true);
create policy door on audit_seal for select to anteroom_door using (true);

create index text_unknown on text (claimed_at) where state = 'unknown';

create function door_on_call(p_now timestamptz)
returns table (
  texts_due bigint, oldest_due_seconds float8, texts_unknown bigint, entries_unsealed bigint, oldest_unsealed_seconds float8
)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  select count(*), coalesce(extract(epoch from p_now - min(d.send_at)), 0) into texts_due, oldest_due_seconds
  from (
    select t.send_at from text t
    where t.state = 'queued' and t.send_at <= p_now and (t.retry_at is null or t.retry_at <= p_now)
    order by t.send_at limit 100000
  ) d;

  select count(*) into texts_unknown
  from (select from text t where t.state = 'unknown' and t.claimed_at > clock_timestamp() - interval '1 day' limit 100000) u;

  -- An office's entries behind the newest one in its chain; at most 1,000 of each office are counted.
  select count(*), coalesce(extract(epoch from p_now - min(u.at)), 0) into entries_unsealed, oldest_unsealed_seconds
  from office o
  cross join lateral (
    select e.at from audit_entry e
    where e.office_id = o.id
      and e.id > coalesce((select max(s.entry_id) from audit_seal s where s.office_id = o.id), 0)
    order by e.id limit 1000
  ) u;
  return next;
end $$;

grant create on schema public to anteroom_door;
alter function door_on_call(timestamptz) owner to anteroom_door;
revoke all on function door_on_call(timestamptz) from public;
grant execute on function door_on_call(timestamptz) to anteroom_app;
revoke create on schema public from anteroom_door;
