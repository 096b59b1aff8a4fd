-- Which form a text asked for: the desk sees beside each missing form whether it was asked for, and what became of that text.
alter table message add column asked_form text;
