-- What looks like advertising in the website chat is held back until somebody at the desk looks at it (decision 0124). `judged_at`: a person has
-- said what the conversation is, so it is not held back again. `first_words`: a hash of the first message, to find the same words from many visitors.
alter table conversation drop constraint conversation_state_check;
alter table conversation add constraint conversation_state_check check (state in ('open', 'closed', 'held'));
alter table conversation add column judged_at timestamptz(3), add column first_words text;
create index conversation_held on conversation (office_id, last_at desc, id desc) where state = 'held';
create index conversation_first_words on conversation (office_id, first_words, created_at) where first_words is not null;

-- A held conversation stays so until the desk answers or says that it is none.
create or replace function place_in_conversation(
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
    state = case when p_sender = 'doctor' or (p_sender = 'patient' and c.state <> 'held') then 'open' else c.state end
  where c.office_id = p_office and c.id = p_conversation
  returning c.id, c.last_sequence
$$;
