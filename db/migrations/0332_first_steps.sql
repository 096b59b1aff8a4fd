-- The list of first steps that a new practice sees beside its empty queue. Practices that exist already do not see it.
alter table office
  add column first_steps_shown boolean not null default false,
  add column poster_printed_at timestamptz(3);
