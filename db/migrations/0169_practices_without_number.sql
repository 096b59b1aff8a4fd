-- Strangers register practices, and each number costs money, so only so many are rented in a day. A practice beyond that has none until it is
-- confirmed. A text that it cannot send is a failed one without a sender.
alter table office alter column text_number drop not null;
alter table text alter column from_phone drop not null;
alter table text add constraint text_has_sender check (from_phone is not null or state = 'failed') not valid;

create index office_without_number on office (confirmed_at) where text_number is null;

-- Job: practices that were confirmed and have no number yet. The demo confirms everybody, so its practices do not count.
create function door_confirmed_without_number(p_limit int) returns setof uuid
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select id from office where text_number is null and confirmed_by in ('operator', 'phone') order by confirmed_at, id limit p_limit
$$;

grant create on schema public to anteroom_door;
alter function door_confirmed_without_number(int) owner to anteroom_door;
revoke all on function door_confirmed_without_number(int) from public;
grant execute on function door_confirmed_without_number(int) to anteroom_app;
revoke create on schema public from anteroom_door;
