-- Who sent a text with Send SMS; null for all other texts. Its message joins the person's conversation when the text has left (decision 0041).
alter table text add column send_by text;

-- An owner that is not a superuser is held by forced row-level security too.
alter table message no force row level security;
alter table text no force row level security;
-- Texts to lists that were sent before: nobody noted who sent them.
update text t set send_by = ''
where t.kind = 'message' and t.visit_id is null
  and not exists (select from message m where m.office_id = t.office_id and m.text_id = t.id);
alter table message force row level security;
alter table text force row level security;
