-- A patient can check in by replying HERE to the text. Nobody at the desk has to read or answer that word: it leaves nothing unread.
alter table message drop constraint message_keyword_check;
alter table message add constraint message_keyword_check check (keyword in ('stop', 'start', 'help', 'here'));

-- Everything else in it is as in 0316.
create or replace function place_message(
  p_office uuid, p_new_id uuid, p_phone text, p_at timestamptz, p_sender text, p_body text, p_text_id uuid, p_failed boolean, p_keyword text,
  p_content text default 'text', p_answers boolean default true
) returns table (conversation_id uuid, sequence int)
language sql volatile as $$
  insert into conversation as c (
    office_id, id, channel, phone, patient_id, search_name, created_at, last_sequence, last_at, last_body, last_sender, last_content, last_text_id,
    unread, read_sequence, patient_unread, unanswered, failed
  )
  select p_office, p_new_id, 'text', p_phone, p.id,
    search_words(concat_ws(' ', p.first_name, p.last_name, substr(p_phone, 3))),
    p_at, 1, p_at, left(p_body, 200), p_sender, p_content, p_text_id,
    case when p_sender = 'patient' and p_keyword is distinct from 'here' then 1 else 0 end,
    case when p_keyword = 'here' then 1 else 0 end,
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
    -- The queue counts what comes after it; with older unread messages it stays, or those would count as read.
    read_sequence = case when p_keyword = 'here' and c.unread = 0 then c.last_sequence + 1 else c.read_sequence end,
    -- Whoever answers has read.
    patient_unread = case when p_sender = 'patient' then 0 else c.patient_unread + excluded.patient_unread end,
    unanswered = case when p_sender = 'doctor' and p_answers then false else c.unanswered or excluded.unanswered end,
    failed = case when p_text_id is null then c.failed else excluded.failed end,
    state = case when (p_sender = 'doctor' and p_answers) or excluded.unanswered then 'open' else c.state end
  returning c.id, c.last_sequence
$$;
