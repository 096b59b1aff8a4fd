-- A link in a text works for the browser that opens it first, and for no other (decision 0113).
alter table file_link
  add column texted boolean not null default false,
  -- The hash of that browser's cookie.
  add column opened_by bytea check (length(opened_by) = 32),
  add constraint file_link_opened_if_texted check (opened_by is null or texted);
