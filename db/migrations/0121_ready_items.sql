-- What makes a visit ready follows from the forms a practice asks for; the setting of that name was never read.
-- An owner that is not a superuser is held by forced row-level security too.
alter table office no force row level security;
update office set queue_settings = queue_settings - 'readyItems';
alter table office force row level security;
