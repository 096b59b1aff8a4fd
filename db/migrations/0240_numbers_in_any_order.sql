-- Ten practices whose numbers cannot be rented must not keep the eleventh from its turn, so each look takes ten at random. Few wait at a time.
create or replace function door_confirmed_without_number(p_limit int) returns setof uuid
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  select id from office where text_number is null and confirmed_by in ('operator', 'phone') order by random() limit p_limit
$$;
