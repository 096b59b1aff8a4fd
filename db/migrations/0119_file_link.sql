-- A short-lived address of one stored file: /files/ and this row's id, signed. Key and file name stay here, out of every URL.
create table file_link (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  object_key text not null,
  file_name text not null,
  disposition text not null check (disposition in ('inline', 'attachment')),
  -- The share through which an outsider opened the file: the address opens while that share does.
  share_id uuid,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (office_id, id),
  foreign key (office_id, share_id) references share_link (office_id, id) on delete cascade
);
create index file_link_expired on file_link (office_id, expires_at);
create index file_link_of_share on file_link (office_id, share_id) where share_id is not null;
alter table file_link enable row level security;
alter table file_link force row level security;
create policy own_office on file_link for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on file_link to anteroom_app;
