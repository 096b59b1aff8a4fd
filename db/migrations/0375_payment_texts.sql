-- The text that asks for a payment is called that, and no longer a check-in link.
alter table text drop constraint text_kind_check;
alter table text add constraint text_kind_check check (kind in ('message', 'invite', 'reinvite', 'link', 'payment', 'notice'));
alter table message drop constraint message_kind_check;
alter table message add constraint message_kind_check check (kind in ('message', 'invite', 'reinvite', 'link', 'payment'));
-- An owner that is not a superuser is held by forced row-level security too.
alter table message no force row level security;
alter table payment no force row level security;
update message m set kind = 'payment' from payment p where p.office_id = m.office_id and p.text_id = m.text_id;
alter table message force row level security;
alter table payment force row level security;
