-- Patients answer on the visit's page too (decision 0056). Null: the channel of the conversation.
alter table message add column channel text check (channel in ('text', 'web', 'app'));
