-- When the conversation said that answers go out by text, since the visitor left. Null again once they are back.
alter table visitor add column handed_over_at timestamptz(3);
