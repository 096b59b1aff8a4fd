-- Whether the page that a patient has open is of an older build than the server's (docs/decisions/0079).
alter table visit add column phone_outdated boolean not null default false;

-- A queue entry says so. The rest of the view stays as the latest migration made it, so it is not written out here a twelfth time.
do $$
declare
  entry text := pg_get_viewdef('queue_entry'::regclass);
  with_column text := replace(entry, '''updateRequired'', false', '''updateRequired'', v.phone_outdated');
begin
  if with_column = entry then
    raise exception 'queue_entry has no updateRequired to set';
  end if;
  execute 'create or replace view queue_entry with (security_invoker = true) as ' || with_column;
end $$;
