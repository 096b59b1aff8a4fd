-- A link can be sent for one form that is missing: it opens there. The form's name stays out of the text and of the address.
alter table visit_token add column asked_form text;
