-- Thousands of patients of one practice, due at the same minute, hold up nobody else's: each practice has its turn.
create or replace function door_due_episodes(p_now timestamptz, p_limit int)
returns table (office_id uuid, episode_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  select d.office_id, d.id from (
    select e.office_id, e.id, e.next_at, row_number() over (partition by e.office_id order by e.next_at) as turn
    from episode e where e.next_at <= p_now
  ) d
  order by d.turn, d.next_at limit p_limit;
end $$;
