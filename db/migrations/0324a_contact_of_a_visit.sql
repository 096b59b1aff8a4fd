-- Who holds the phone without being a patient, such as the parent of the child that the visit is for.
alter table visit add column if not exists contact_first_name text, add column if not exists contact_last_name text;
