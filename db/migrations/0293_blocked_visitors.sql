-- A desk can block a visitor of the website: their calls are refused until a desk unblocks them. The indexes are for the daily sweep.
alter table visitor add column blocked_at timestamptz(3);
create index visitor_ended on visitor (office_id, expires_at);
create index visitor_code on visitor (office_id, code_expires_at) where code_expires_at is not null;

drop function door_visitor_by_token(bytea, timestamptz);
create function door_visitor_by_token(p_token_hash bytea, p_now timestamptz)
returns table (
  office_id uuid, visitor_id uuid, conversation_id uuid, seen_at timestamptz, left_at timestamptz, blocked_at timestamptz
)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'visitor' and d.key = encode(p_token_hash, 'hex'));
  return query
  select v.office_id, v.id, v.conversation_id, v.seen_at, v.left_at, v.blocked_at
  from visitor v where v.office_id = any (offices) and v.token_hash = p_token_hash and v.expires_at > p_now;
end $$;
grant create on schema public to anteroom_door;
alter function door_visitor_by_token(bytea, timestamptz) owner to anteroom_door;
revoke create on schema public from anteroom_door;
revoke all on function door_visitor_by_token(bytea, timestamptz) from public;
grant execute on function door_visitor_by_token(bytea, timestamptz) to anteroom_app;
