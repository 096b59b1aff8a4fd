-- The number under which the practice software has a patient; null until somebody has told it. Payments are recorded with it.
alter table patient add column practice_number text check (practice_number ~ '^[1-9][0-9]{0,14}$');
