-- A link that has ended still says whose it was, so that its page can show the practice's number. An unknown token says nothing.
create index episode_link_by_hash on episode_link (token_hash);

create function door_ended_link(p_kind text, p_token_hash bytea, p_now timestamptz)
returns table (office_name text, office_phone text, has_expired boolean)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  if p_kind = 'visit' then
    return query
    select o.name, o.phone, true
    from visit_token t join office o on o.id = t.office_id
    where t.token_hash = p_token_hash and t.expires_at <= p_now;
  elsif p_kind = 'episode' then
    -- A link that was ended by the practice, or with its invitation, ends before its thirty days are over.
    return query
    select o.name, coalesce(o.ambu_settings ->> 'phone', o.phone), l.expires_at >= l.created_at + interval '30 days'
    from episode_link l join office o on o.id = l.office_id
    where l.token_hash = p_token_hash and l.expires_at <= p_now;
  end if;
end $$;

grant create on schema public to anteroom_door;
alter function door_ended_link(text, bytea, timestamptz) owner to anteroom_door;
revoke all on function door_ended_link(text, bytea, timestamptz) from public;
grant execute on function door_ended_link(text, bytea, timestamptz) to anteroom_app;
revoke create on schema public from anteroom_door;
