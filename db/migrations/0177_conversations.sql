-- One conversation for each person (decision 0040). The columns that the inbox lists, filters and counts by are kept up to date by the
-- statement that writes a message, so that no list scans messages.
create table conversation (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  channel text not null default 'text' check (channel in ('text', 'web', 'app')),
  phone text,
  -- No foreign key: its check would lock the patient after the conversation, and a check-in locks the patient first. No patient is deleted.
  patient_id uuid,
  state text not null default 'open' check (state in ('open', 'closed')),
  assignee_id uuid,
  assignee_name text,
  -- Lower-case words of the patient's name, and the digits of the number: what the search compares.
  search_name text not null default '',
  last_sequence int not null default 0,
  last_at timestamptz(3) not null,
  last_body text not null default '',
  last_sender text not null check (last_sender in ('doctor', 'bot', 'patient', 'system')),
  -- The newest text that the practice sent here; `failed` describes its outcome.
  last_text_id uuid,
  -- The desk has read the messages up to this one. Every desk of a practice shares it.
  read_sequence int not null default 0,
  unread int not null default 0,
  patient_unread int not null default 0,
  unanswered boolean not null default false,
  failed boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (office_id, id),
  constraint conversation_has_phone check (channel <> 'text' or phone is not null)
);
create unique index conversation_phone on conversation (office_id, phone) where channel = 'text';
create index conversation_list on conversation (office_id, last_at desc, id desc) include (search_name);
create index conversation_unanswered on conversation (office_id, last_at desc, id desc) where unanswered and state = 'open';
create index conversation_unread on conversation (office_id, last_at desc, id desc) where unread > 0;
create index conversation_failed on conversation (office_id, last_at desc, id desc) where failed and state = 'open';
create index conversation_text on conversation (office_id, last_text_id);
alter table conversation enable row level security;
alter table conversation force row level security;
create policy own_office on conversation for all to public
  using (office_id = current_office()) with check (office_id = current_office());
grant select, insert, update, delete on conversation to anteroom_app;

alter table message
  alter column visit_id drop not null,
  add column conversation_id uuid,
  add column sequence int,
  -- The sender's own id of a message: a retry with the same one makes no second message.
  add column client_id text,
  add column content text not null default 'text' check (content in ('text', 'image', 'system')),
  -- The carrier's id of an incoming text.
  add column provider_id text,
  add column keyword text check (keyword in ('stop', 'start', 'help'));
alter table message drop constraint message_sender_check;

-- What the search compares: words without accents, and digits. Like normalizeForSearch in the forms list.
create function search_words(p_text text) returns text language sql immutable parallel safe as $$
  select trim(regexp_replace(lower(regexp_replace(normalize(coalesce(p_text, ''), NFKD), '[\u0300-\u036f]', '', 'g')), '[[:space:][:punct:]’‘–—]+', ' ', 'g'))
$$;

-- Finds or creates the conversation of a number, locks it, gives the message its sequence and keeps the inbox's columns up to date.
create function place_message(
  p_office uuid, p_new_id uuid, p_phone text, p_at timestamptz, p_sender text, p_body text, p_text_id uuid, p_failed boolean, p_keyword text
) returns table (conversation_id uuid, sequence int)
language sql volatile as $$
  insert into conversation as c (
    office_id, id, channel, phone, patient_id, search_name, created_at, last_sequence, last_at, last_body, last_sender, last_text_id,
    unread, patient_unread, unanswered, failed
  )
  select p_office, p_new_id, 'text', p_phone, p.id,
    search_words(concat_ws(' ', p.first_name, p.last_name, substr(p_phone, 3))),
    p_at, 1, p_at, left(p_body, 200), p_sender, p_text_id,
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

-- An owner that is not a superuser is held by forced row-level security too.
alter table conversation no force row level security;
alter table message no force row level security;
alter table patient no force row level security;
alter table text no force row level security;
alter table text_reply no force row level security;
alter table visit no force row level security;

-- A patient's text that a visit showed is in both tables: written in one transaction, so at the same time and with the same words.
update message m set provider_id = pair.provider_id, keyword = pair.keyword
from (
  select shown.office_id, shown.id, r.provider_id, r.keyword, r.id as reply_id
  from (
    select office_id, id, visit_id, at, body, row_number() over (partition by office_id, visit_id, at, body order by id) as n
    from message where sender = 'patient'
  ) shown
  join (
    select office_id, id, visit_id, at, body, provider_id, keyword,
      row_number() over (partition by office_id, visit_id, at, body order by id) as n
    from text_reply where visit_id is not null
  ) r on r.office_id = shown.office_id and r.visit_id = shown.visit_id and r.at = shown.at and r.body = shown.body and r.n = shown.n
) pair
where m.office_id = pair.office_id and m.id = pair.id;

update message set sender = case when kind = 'message' then 'doctor' else 'bot' end where sender = 'office';

-- Texts that no visit showed: there was no visit, or the text had no words.
insert into message (office_id, id, visit_id, at, sender, kind, body, provider_id, keyword)
select r.office_id, r.id, null, r.at, 'patient', 'message', r.body, r.provider_id, r.keyword
from text_reply r
where not exists (select from message m where m.office_id = r.office_id and m.provider_id = r.provider_id);

-- For this migration only: whose conversation a message belongs to.
alter table message add column phone text;
update message m set phone = p.phone, sequence = p.sequence
from (
  select o.office_id, o.id, o.phone, row_number() over (partition by o.office_id, o.phone order by o.at, o.id)::int as sequence
  from (
    select m.office_id, m.id, m.at, coalesce(t.to_phone, r.from_phone, v.phone) as phone
    from message m
    left join text t on t.office_id = m.office_id and t.id = m.text_id
    left join visit v on v.office_id = m.office_id and v.id = m.visit_id
    left join text_reply r on r.office_id = m.office_id and r.provider_id = m.provider_id
  ) o
) p
where m.office_id = p.office_id and m.id = p.id;

insert into conversation (
  office_id, id, channel, phone, patient_id, search_name, created_at, last_sequence, last_at, last_body, last_sender, last_text_id,
  read_sequence, failed
)
select l.office_id, gen_random_uuid(), 'text', l.phone, p.id,
  search_words(concat_ws(' ', p.first_name, p.last_name, substr(l.phone, 3))),
  l.first_at, l.sequence, l.at, left(l.body, 200), l.sender, newest.text_id, l.sequence,
  coalesce(t.state in ('failed', 'held', 'unknown'), false)
from (
  select distinct on (m.office_id, m.phone) m.office_id, m.phone, m.sequence, m.at, m.body, m.sender,
    min(m.at) over (partition by m.office_id, m.phone) as first_at
  from message m
  order by m.office_id, m.phone, m.sequence desc
) l
left join (
  select distinct on (m.office_id, m.phone) m.office_id, m.phone, m.text_id
  from message m
  where m.text_id is not null
  order by m.office_id, m.phone, m.sequence desc
) newest on newest.office_id = l.office_id and newest.phone = l.phone
left join text t on t.office_id = newest.office_id and t.id = newest.text_id
left join patient p on p.office_id = l.office_id and p.phone = l.phone;

update message m set conversation_id = c.id
from conversation c
where c.office_id = m.office_id and c.phone = m.phone;
alter table message drop column phone;

-- The visits showed old messages, so none is unread. What came in the last week and has no answer waits for one.
update conversation c set unanswered = true
from (
  select distinct on (office_id, conversation_id) office_id, conversation_id, sender, at
  from message where sender <> 'bot' and keyword is null
  order by office_id, conversation_id, sequence desc
) newest
where c.office_id = newest.office_id and c.id = newest.conversation_id
  and newest.sender = 'patient' and newest.at > now() - interval '7 days';

alter table message
  alter column conversation_id set not null,
  alter column sequence set not null,
  add constraint message_sender_check check (sender in ('doctor', 'bot', 'patient', 'system')),
  add constraint message_conversation foreign key (office_id, conversation_id) references conversation (office_id, id) on delete cascade;
create unique index message_sequence on message (office_id, conversation_id, sequence);
create unique index message_client on message (office_id, conversation_id, client_id) where client_id is not null;
create unique index message_provider on message (office_id, provider_id) where provider_id is not null;

drop table text_reply;
alter table conversation force row level security;
alter table message force row level security;
alter table patient force row level security;
alter table text force row level security;
alter table visit force row level security;
