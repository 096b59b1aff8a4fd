-- A search that finds few looks at every conversation of the office. It reads the index alone if that also knows which the inbox lists: not
-- the chats in which a website's visitor has written nothing yet, nor those held back.
create index conversation_listed on conversation (office_id, last_at desc, id desc) include (search_name)
  where (last_sequence > 0 or channel <> 'web') and state <> 'held';
drop index conversation_list;
