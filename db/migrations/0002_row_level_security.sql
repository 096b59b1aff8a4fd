-- Forced on every office-owned table. With no office set, nothing is seen and nothing can be written.

create function current_office() returns uuid language sql stable parallel safe as
$$ select nullif(current_setting('app.office_id', true), '')::uuid $$;

do $$
declare t record;
begin
  for t in
    select c.table_name from information_schema.columns c
    where c.table_schema = 'public' and c.column_name = 'office_id'
  loop
    execute format('alter table %I enable row level security', t.table_name);
    execute format('alter table %I force row level security', t.table_name);
    execute format('create policy own_office on %I for all to public using (office_id = current_office()) with check (office_id = current_office())', t.table_name);
  end loop;
  alter table office enable row level security;
  alter table office force row level security;
  create policy own_office on office for all to public using (id = current_office()) with check (id = current_office());
end $$;

grant usage on schema public, auth, dev to anteroom_app;
grant select, insert, update, delete on all tables in schema public, auth, dev to anteroom_app;
grant usage on all sequences in schema public to anteroom_app;
revoke update, delete, truncate on audit_entry, audit_seal from anteroom_app;
revoke insert, delete on office from anteroom_app;
