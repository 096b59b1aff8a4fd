-- What a refund left out of the practice software is recorded after all once the refund is taken back. If the rest is recorded by then, that is
-- another entry there: `number` counts the entries of a part.
alter table payment_recording add column number int not null default 1 check (number > 0);
alter table payment_recording drop constraint payment_recording_office_id_payment_id_part_key;
create unique index payment_recording_part on payment_recording (office_id, payment_id, part, number);
