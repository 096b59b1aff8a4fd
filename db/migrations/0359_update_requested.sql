-- The payment provider needs documents or corrections before it decides: the practice gives them in the same hosted form.
alter table merchant_application drop constraint merchant_application_state_check;
alter table merchant_application add constraint merchant_application_state_check
  check (state in ('draft', 'open', 'processing', 'update-requested', 'approved', 'rejected'));
alter table merchant.form drop constraint form_state_check;
alter table merchant.form add constraint form_state_check
  check (state in ('open', 'processing', 'update-requested', 'approved', 'rejected'));
