-- `paid-twice`: the payment provider made a refund of which a person had said that the patient got the money in another way. `kept` once a
-- person sorted that out.
alter table payment_refund drop constraint payment_refund_contradiction_check;
alter table payment_refund add constraint payment_refund_contradiction_check check (contradiction in ('open', 'kept', 'paid-twice'));
drop index payment_refund_contradicted;
create index payment_refund_contradicted on payment_refund (office_id, created_at) where contradiction in ('open', 'paid-twice');
