-- What patients got back beyond what they paid: a refund that somebody called failed, or took back, was made after all when the rest had been
-- refunded otherwise. `refunded_cents` is all of the payment then. `excess_settled_cents`: how much of it somebody has sorted out with the patient.
alter table payment
  add column excess_refunded_cents int not null default 0,
  add column excess_settled_cents int not null default 0,
  add constraint payment_excess_refunded check (excess_refunded_cents >= 0 and (excess_refunded_cents = 0 or refunded_cents = amount_cents)),
  add constraint payment_excess_settled check (excess_settled_cents between 0 and excess_refunded_cents);
create index payment_excess_open on payment (office_id, created_at) where excess_refunded_cents > excess_settled_cents;
