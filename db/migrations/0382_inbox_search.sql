-- A search that finds few looks at every conversation of the office. It reads the index alone if that also knows which are shown: not the
-- chats in which a website's visitor has written nothing yet.
create index conversation_shown on conversation (office_id, last_at desc, id desc) include (search_name)
  where last_sequence > 0 or channel <> 'web';
drop index conversation_list;
