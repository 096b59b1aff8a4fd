-- The page of a link that has ended finds its practice through the directory, whose entry stays for 30 days more (decision 0164). A link
-- without an entry ended before that. On one machine its practice is found by the hash, as before; several machines would all be asked, for
-- every link that nobody ever had too.
create or replace function door_ended_link(p_kind text, p_token_hash bytea, p_now timestamptz)
returns table (office_name text, office_phone text, has_expired boolean)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
  an_office uuid;
begin
  offices := array(
    select d.office_id from auth.office_directory d where d.kind = p_kind || '_link' and d.key = encode(p_token_hash, 'hex')
  );
  if offices = '{}' and to_regclass('pg_catalog.pg_dist_partition') is null then
    offices := array(
      select t.office_id from visit_token t where p_kind = 'visit' and t.token_hash = p_token_hash
      union all
      select l.office_id from episode_link l where p_kind = 'episode' and l.token_hash = p_token_hash
    );
  end if;
  foreach an_office in array offices loop
    if p_kind = 'visit' then
      return query
      select o.name, o.phone, true
      from visit_token t join office o on o.id = t.office_id
      where t.office_id = an_office and t.token_hash = p_token_hash and t.expires_at <= p_now;
    elsif p_kind = 'episode' then
      -- A link that was ended by the practice, or with its invitation, ends before its thirty days are over.
      return query
      select o.name, coalesce(o.ambu_settings ->> 'phone', o.phone), l.expires_at >= l.created_at + interval '30 days'
      from episode_link l join office o on o.id = l.office_id
      where l.office_id = an_office and l.token_hash = p_token_hash and l.expires_at <= p_now;
    end if;
  end loop;
end $$;
