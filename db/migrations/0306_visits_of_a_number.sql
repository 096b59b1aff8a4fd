-- A text that comes in belongs to the newest visit of its number.
create index visit_of_phone on visit (office_id, phone, day);
