-- Conversations with people who have no phone number, and pictures (decision 0041).
alter table conversation
  -- The name of a website's visitor or of an app's user; a patient's name comes from `patient`.
  add column visitor_name text,
  add column last_content text not null default 'text' check (last_content in ('text', 'image', 'system'));

-- A picture of a conversation. Its row is written before its file, so that a file left by a crash is found and deleted.
create table message_file (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  conversation_id uuid not null,
  object_key text not null,
  content_type text not null,
  width int not null,
  height int not null,
  bytes int,
  sha256 text,
  created_at timestamptz(3) not null,
  stored_at timestamptz(3),
  -- When a message showed it. One that no message shows is deleted.
  used_at timestamptz(3),
  primary key (office_id, id),
  constraint message_file_conversation foreign key (office_id, conversation_id) references conversation (office_id, id) on delete cascade
);
create index message_file_created on message_file (office_id, created_at);
create index message_file_unused on message_file (office_id, created_at) where used_at is null;
alter table message_file enable row level security;
alter table message_file force row level security;
create policy own_office on message_file for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on message_file to anteroom_app;

alter table message
  add column file_id uuid,
  add constraint message_file foreign key (office_id, file_id) references message_file (office_id, id),
  add constraint message_image check ((content = 'image') = (file_id is not null));

-- With the kind of the newest message. The new parameter has a default for processes of the previous version.
drop function place_message(uuid, uuid, text, timestamptz, text, text, uuid, boolean, text);
create function place_message(
  p_office uuid, p_new_id uuid, p_phone text, p_at timestamptz, p_sender text, p_body text, p_text_id uuid, p_failed boolean, p_keyword text,
  p_content text default 'text'
) returns table (conversation_id uuid, sequence int)
language sql volatile as $$
  insert into conversation as c (
    office_id, id, channel, phone, patient_id, search_name, created_at, last_sequence, last_at, last_body, last_sender, last_content, last_text_id,
    unread, patient_unread, unanswered, failed
  )
  select p_office, p_new_id, 'text', p_phone, p.id,
    search_words(concat_ws(' ', p.first_name, p.last_name, substr(p_phone, 3))),
    p_at, 1, p_at, left(p_body, 200), p_sender, p_content, p_text_id,
    case when p_sender = 'patient' then 1 else 0 end,
    case when p_sender in ('doctor', 'bot') then 1 else 0 end,
    p_sender = 'patient' and p_keyword is null,
    p_failed
  from (select 1) as one left join patient p on p.office_id = p_office and p.phone = p_phone
  on conflict (office_id, phone) where channel = 'text' do update set
    patient_id = coalesce(excluded.patient_id, c.patient_id),
    search_name = excluded.search_name,
    last_sequence = c.last_sequence + 1,
    last_at = greatest(c.last_at, excluded.last_at),
    last_body = excluded.last_body,
    last_sender = excluded.last_sender,
    last_content = excluded.last_content,
    last_text_id = coalesce(excluded.last_text_id, c.last_text_id),
    unread = c.unread + excluded.unread,
    -- Whoever answers has read.
    patient_unread = case when p_sender = 'patient' then 0 else c.patient_unread + excluded.patient_unread end,
    unanswered = case p_sender when 'doctor' then false else c.unanswered or excluded.unanswered end,
    failed = case when p_text_id is null then c.failed else excluded.failed end,
    state = case when p_sender = 'doctor' or excluded.unanswered then 'open' else c.state end
  returning c.id, c.last_sequence
$$;
grant execute on function place_message to anteroom_app;

-- The same for a conversation without a number: nobody is texted, and it exists already.
create function place_in_conversation(
  p_office uuid, p_conversation uuid, p_at timestamptz, p_sender text, p_body text, p_content text
) returns table (conversation_id uuid, sequence int)
language sql volatile as $$
  update conversation c set
    last_sequence = c.last_sequence + 1,
    last_at = greatest(c.last_at, p_at),
    last_body = left(p_body, 200),
    last_sender = p_sender,
    last_content = p_content,
    unread = c.unread + case when p_sender = 'patient' then 1 else 0 end,
    patient_unread = case
      when p_sender = 'patient' then 0
      when p_sender in ('doctor', 'bot') then c.patient_unread + 1
      else c.patient_unread
    end,
    unanswered = case p_sender when 'doctor' then false when 'patient' then true else c.unanswered end,
    state = case when p_sender in ('doctor', 'patient') then 'open' else c.state end
  where c.office_id = p_office and c.id = p_conversation
  returning c.id, c.last_sequence
$$;
grant execute on function place_in_conversation to anteroom_app;
