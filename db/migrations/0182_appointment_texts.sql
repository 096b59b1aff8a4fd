-- A text before an appointment knows the appointment: a list that is uploaded twice texts nobody twice for the same day.
alter table text add column appointment_at timestamptz(3);
create index text_appointment on text (office_id, appointment_at, to_phone) where appointment_at is not null;
