-- A text that nobody pressed for, and that is of no use the next morning: it never leaves in quiet hours, however late it is.
alter table text add column daytime_only boolean not null default false;
