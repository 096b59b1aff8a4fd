-- A push may also be about a patient who needs a nurse's call.
alter table push_subscription drop constraint push_subscription_due_for_check;
alter table push_subscription add constraint push_subscription_due_for_check
  check (due_for in ('arrival', 'message', 'both', 'callback'));
