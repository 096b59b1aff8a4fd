-- The team page shows what the office was given of a member, and nothing else about the person.
alter table membership drop column last_sign_in_at;
