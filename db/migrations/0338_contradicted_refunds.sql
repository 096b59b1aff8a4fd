-- A refund that a person confirmed and the payment provider says it never made: `open` until a person says what became of it, `kept` if the
-- patient got the money in another way.
alter table payment_refund add column contradiction text check (contradiction in ('open', 'kept'));
create index payment_refund_contradicted on payment_refund (office_id, created_at) where contradiction = 'open';

-- A refund that is taken back has a second, positive entry. `number` counts the entries of a refund: the odd ones refund, the even ones take back.
alter table money_entry add column number int not null default 1 check (number > 0);
alter table money_entry drop constraint if exists money_entry_check, drop constraint if exists money_entry_amount_cents_check;
alter table money_entry add constraint money_entry_amount_cents_check
  check (amount_cents <> 0 and (amount_cents < 0) = (refund_id is not null and number % 2 = 1) and (refund_id is not null or number = 1));
drop index money_entry_refund;
create unique index money_entry_refund on money_entry (office_id, refund_id, number) where refund_id is not null;
