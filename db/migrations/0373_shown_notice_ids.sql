-- The key of every table of an office is the office and an id. A running older version names no id.
alter table shown_notice
  add column id uuid not null default gen_random_uuid(),
  drop constraint shown_notice_pkey,
  add constraint shown_notice_pkey primary key (office_id, id),
  add constraint shown_notice_once unique (office_id, token_id, member_id, form_type);
