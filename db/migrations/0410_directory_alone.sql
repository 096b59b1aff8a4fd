-- The look-ups by a key, as before, on the directory alone. Every version since 0155 writes its entries, and the job `complete-directory` adds
-- what is missing. Without an entry each of them looked through the rows of all offices, which on several machines asks every machine: for
-- every link that nobody has, every person without a practice, and every person whom nobody has invited.
do $$
declare
  look_up text;
  shortened text;
begin
  foreach look_up in array array[
    'door_session(bytea, text, timestamptz)', 'door_visit_by_token(bytea, timestamptz)', 'door_invitation_by_token(bytea, timestamptz)',
    'door_share_by_token(bytea)', 'door_agreement_by_request(text, text)', 'door_office_by_npi(text)', 'door_office_by_text_number(text)',
    'door_lock_minutes(uuid)', 'door_offices_of(uuid)', 'door_open_invitations(text[], timestamptz)'
  ] loop
    shortened := regexp_replace(
      pg_get_functiondef(look_up::regprocedure), 'if offices = ''{}'' then\s+offices := array\([^;]+\);\s+end if;\s+', ''
    );
    if shortened = pg_get_functiondef(look_up::regprocedure) then
      raise exception '% looks among all offices in another way', look_up;
    end if;
    execute shortened;
  end loop;
end $$;

-- It replaces functions, so it is for migrations alone.
revoke all on function make_queue_functions() from public;
