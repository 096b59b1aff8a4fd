-- The text that asked for a payment: it is taken back with the request. Older requests have none.
alter table payment add column text_id uuid;
