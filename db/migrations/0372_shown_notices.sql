-- The address of the privacy notice that a form showed when it was opened with a link, for its PDF: the practice may change the address
-- before the form is submitted. Null: the form said that the front desk hands it out.
create table shown_notice (
  office_id uuid not null references office on delete cascade,
  token_id uuid not null,
  member_id uuid not null,
  form_type text not null,
  url text,
  shown_at timestamptz(3) not null,
  primary key (office_id, token_id, member_id, form_type),
  foreign key (office_id, token_id) references visit_token (office_id, id) on delete cascade
);

alter table shown_notice enable row level security;
alter table shown_notice force row level security;
create policy own_office on shown_notice for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on shown_notice to anteroom_app;
