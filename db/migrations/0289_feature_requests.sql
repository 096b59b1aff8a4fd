-- Who asked for a feature that their practice does not have yet. The operator gets an email about each.
create table feature_request (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  person_id uuid not null,
  feature text not null check (feature in ('chat')),
  created_at timestamptz(3) not null,
  mailed_at timestamptz(3),
  primary key (office_id, id)
);
create unique index feature_request_once on feature_request (office_id, person_id, feature);
alter table feature_request enable row level security;
alter table feature_request force row level security;
create policy own_office on feature_request for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on feature_request to anteroom_app;
