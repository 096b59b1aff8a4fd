-- Pictures that patients send by text (decision 0056). Their messages are written at once; a job fetches the pictures from the carrier.
alter table message drop constraint message_image;
alter table message
  -- Why a patient's picture is not shown. Null while it is fetched, and once it is stored.
  add column picture_problem text
    check (picture_problem in ('not-a-picture', 'unreadable', 'too-large', 'too-many', 'unavailable')),
  add constraint message_image
    check (case when content = 'image' then file_id is null or picture_problem is null else file_id is null and picture_problem is null end);

-- A picture that is not fetched yet. Its id is that of the message that will show it.
create table incoming_picture (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  -- Where the carrier has it.
  source text not null,
  -- A claim moves it on, so that no other process fetches the picture meanwhile.
  due_at timestamptz(3) not null,
  tries int not null default 0,
  primary key (office_id, id),
  constraint incoming_picture_message foreign key (office_id, id) references message (office_id, id) on delete cascade
);
create index incoming_picture_due on incoming_picture (due_at);
alter table incoming_picture enable row level security;
alter table incoming_picture force row level security;
create policy own_office on incoming_picture for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on incoming_picture to anteroom_app;
grant select on incoming_picture to anteroom_door;
create policy door on incoming_picture for select to anteroom_door using (true);

-- The offices with pictures to fetch; each claims its own.
create function door_due_pictures(p_now timestamptz, p_limit int) returns table (office_id uuid)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct d.office_id
  from (select p.office_id from incoming_picture p where p.due_at <= p_now order by p.due_at limit p_limit) d
$$;
grant create on schema public to anteroom_door;
alter function door_due_pictures(timestamptz, int) owner to anteroom_door;
revoke all on function door_due_pictures(timestamptz, int) from public;
grant execute on function door_due_pictures(timestamptz, int) to anteroom_app;
revoke create on schema public from anteroom_door;

-- What the demo's phones send.
create table dev.media (
  id uuid primary key,
  content bytea not null,
  at timestamptz(3) not null
);
grant select, insert, update, delete on dev.media to anteroom_app;
