-- What a practice decided about its texts: quiet hours, snippets, lead time, expected reply time. Empty: the defaults.
alter table office add column message_settings jsonb not null default '{}';
