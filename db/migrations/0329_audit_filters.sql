-- The audit log by person and by patient. The table is the longest of all, so building these holds up its writes for some seconds.
create index audit_entry_actor on audit_entry (office_id, actor_id, id) where actor_id is not null;
create index audit_entry_subject on audit_entry (office_id, subject) where subject is not null;
create index audit_entry_visit on audit_entry (office_id, (details ->> 'visit')) where details ->> 'visit' is not null;
