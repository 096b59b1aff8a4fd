-- The send to several people that a text belongs to, so that its texts are counted and canceled together. The ids are ordered by time
-- (version 7), so that the newest sends are found at the end of the index.
alter table text add column send_id uuid;
create index text_of_send on text (office_id, send_id) where send_id is not null;
