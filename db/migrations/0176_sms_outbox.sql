-- The outbox lists an office's texts by the time they go out; a send counts the texts that already go out in each minute.
create index text_of_office on text (office_id, send_at, id);
-- When staff sent a failed text again, as a new one. Two desks cannot both do it.
alter table text add column retried_at timestamptz(3);
