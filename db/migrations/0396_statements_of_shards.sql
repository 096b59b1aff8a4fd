-- Statements that a distributed PostgreSQL refuses, in words that it takes. Nothing changes on one machine.

-- A set of rows from a function comes after the table that it is joined with, and without a condition of its own.
do $$
declare
  entry text := pg_get_viewdef('queue_entry'::regclass);
  reordered text := regexp_replace(
    regexp_replace(
      entry,
      'forms_wanted\(o\.settings\) n\(place, type, visible_name\)\s+JOIN visit_member m ON \(\(\(m\.office_id = v\.office_id\) AND \(m\.visit_id = v\.id\)\)\)',
      'visit_member m CROSS JOIN LATERAL forms_wanted(o.settings) n(place, type, visible_name)'
    ),
    'WHERE \(\(o\.confirmed_at IS NOT NULL\) OR ',
    'WHERE (m.office_id = v.office_id) AND (m.visit_id = v.id) AND ((o.confirmed_at IS NOT NULL) OR '
  );
begin
  if reordered not like '%CROSS JOIN LATERAL forms_wanted%' or reordered not like '%(m.visit_id = v.id) AND ((o.confirmed_at%' then
    raise exception 'queue_entry does not ask for the wanted forms';
  end if;
  execute 'create or replace view queue_entry with (security_invoker = true) as ' || reordered;
end $$;

-- As before; the rows that are counted have a column.
create or replace function door_on_call(p_now timestamptz)
returns table (
  texts_due bigint, oldest_due_seconds float8, texts_unknown bigint, entries_unsealed bigint, oldest_unsealed_seconds float8
)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  select count(*), coalesce(extract(epoch from p_now - min(d.send_at)), 0) into texts_due, oldest_due_seconds
  from (
    select t.send_at from text t
    where t.state = 'queued' and t.send_at <= p_now and (t.retry_at is null or t.retry_at <= p_now)
    order by t.send_at limit 100000
  ) d;

  select count(*) into texts_unknown
  from (select 1 from text t where t.state = 'unknown' and t.claimed_at > clock_timestamp() - interval '1 day' limit 100000) u;

  -- An office's entries behind the newest one in its chain; at most 1,000 of each office are counted.
  select count(*), coalesce(extract(epoch from p_now - min(u.at)), 0) into entries_unsealed, oldest_unsealed_seconds
  from office o
  cross join lateral (
    select e.at from audit_entry e
    where e.office_id = o.id
      and e.id > coalesce((select max(s.entry_id) from audit_seal s where s.office_id = o.id), 0)
    order by e.id limit 1000
  ) u;
  return next;
end $$;

-- As before, in the language whose plans are kept; the patient is looked up first, so that the row is one of plain values.
create or replace function place_message(
  p_office uuid, p_new_id uuid, p_phone text, p_at timestamptz, p_sender text, p_body text, p_text_id uuid, p_failed boolean, p_keyword text, p_content text DEFAULT 'text', p_answers boolean DEFAULT true
) returns table(conversation_id uuid, sequence int) language plpgsql as $$
#variable_conflict use_column
declare
  the_patient_id uuid;
  names text;
begin
  select p.id, concat_ws(' ', p.first_name, p.last_name) into the_patient_id, names
  from patient p where p.office_id = p_office and p.phone = p_phone;
  return query
  insert into conversation as c (
    office_id, id, channel, phone, patient_id, search_name, created_at, last_sequence, last_at, last_body, last_sender, last_content, last_text_id,
    unread, read_sequence, patient_unread, unanswered, failed
  )
  values (
    p_office, p_new_id, 'text', p_phone, the_patient_id, search_words(concat_ws(' ', names, substr(p_phone, 3))),
    p_at, 1, p_at, left(p_body, 200), p_sender, p_content, p_text_id,
    case when p_sender = 'patient' and p_keyword is distinct from 'here' then 1 else 0 end,
    case when p_keyword = 'here' then 1 else 0 end,
    case when p_sender in ('doctor', 'bot') then 1 else 0 end,
    p_sender = 'patient' and p_keyword is null,
    p_failed
  )
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
  returning c.id, c.last_sequence;
end $$;

create or replace function place_in_conversation(
  p_office uuid, p_conversation uuid, p_at timestamptz, p_sender text, p_body text, p_content text
) returns table(conversation_id uuid, sequence int) language plpgsql as $$
#variable_conflict use_column
begin
  return query
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
    unanswered = case when p_sender = 'doctor' then false when p_sender = 'patient' then true else c.unanswered end,
    state = case when p_sender = 'doctor' or (p_sender = 'patient' and c.state <> 'held') then 'open' else c.state end
  where c.office_id = p_office and c.id = p_conversation
  returning c.id, c.last_sequence;
end $$;

-- The claims, as before; the time is asked for outside of the statements.
create or replace function door_claim_texts(p_worker text, p_now timestamptz, p_lease interval, p_limit int)
returns table(office_id uuid, id uuid, from_phone text, to_phone text, body text, needs_link boolean, sealed_link bytea, send_at timestamptz, tries int, opted_out boolean, appointment_at timestamptz, block text)
language plpgsql
volatile security definer
set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  due record;
  remaining int := p_limit;
  claimed int;
  right_now timestamptz;
  lease_end timestamptz;
begin
  for due in
    select f.office_id, array_agg(f.id order by f.send_at) as ids
    from (
      select t.office_id, t.id, t.send_at from text t
      where t.state = 'queued' and t.send_at <= p_now and (t.retry_at is null or t.retry_at <= p_now)
      order by t.send_at limit p_limit * 4
    ) f
    group by f.office_id order by min(f.send_at)
  loop
    exit when remaining <= 0;
    right_now := clock_timestamp();
    lease_end := right_now + p_lease;
    return query
    with due_row as materialized (
      select d.id
      from unnest(due.ids) as wanted(id)
      cross join lateral (
        select l.id, l.retry_at, l.send_at, l.state from text l
        where l.office_id = due.office_id and l.id = wanted.id offset 0 for update skip locked
      ) d
      where d.state = 'queued' and d.send_at <= p_now and (d.retry_at is null or d.retry_at <= p_now)
      limit remaining
    )
    update text t
    set state = 'sending', claimed_at = right_now, lease_until = lease_end, worker = p_worker,
        tries = t.tries + 1
    from due_row
    where t.office_id = due.office_id and t.id = due_row.id
    returning t.office_id, t.id, t.from_phone, t.to_phone, t.body, t.needs_link, t.sealed_link, t.send_at, t.tries,
      t.kind <> 'notice' and exists (select from blocked_number b where b.office_id = due.office_id and b.phone = t.to_phone),
      t.appointment_at,
      case when t.kind <> 'notice' then
        (select b.block from blocked_number b where b.office_id = due.office_id and b.phone = t.to_phone)
      end;
    get diagnostics claimed = row_count;
    remaining := remaining - claimed;
  end loop;
end
$$;

create or replace function door_take_over_texts(p_worker text, p_lease interval, p_limit int)
returns table(office_id uuid, id uuid, from_phone text, to_phone text, claimed_at timestamptz, claimed_ms_ago double precision)
language plpgsql
volatile security definer
set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  due record;
  remaining int := p_limit;
  claimed int;
  right_now timestamptz;
  lease_end timestamptz;
begin
  for due in
    select f.office_id, array_agg(f.id order by f.lease_until) as ids
    from (
      select t.office_id, t.id, t.lease_until from text t
      where t.state = 'sending' and t.lease_until <= clock_timestamp()
      order by t.lease_until limit p_limit * 4
    ) f
    group by f.office_id order by min(f.lease_until)
  loop
    exit when remaining <= 0;
    right_now := clock_timestamp();
    lease_end := right_now + p_lease;
    return query
    with due_row as materialized (
      select d.id
      from unnest(due.ids) as wanted(id)
      cross join lateral (
        select l.id, l.lease_until, l.state from text l
        where l.office_id = due.office_id and l.id = wanted.id offset 0 for update skip locked
      ) d
      where d.state = 'sending' and d.lease_until <= right_now
      limit remaining
    )
    update text t
    set lease_until = lease_end, worker = p_worker
    from due_row
    where t.office_id = due.office_id and t.id = due_row.id
    returning t.office_id, t.id, t.from_phone, t.to_phone, t.claimed_at,
      (extract(epoch from right_now - t.claimed_at) * 1000)::float8;
    get diagnostics claimed = row_count;
    remaining := remaining - claimed;
  end loop;
end
$$;

create or replace function door_claim_pushes(p_now timestamptz, p_lease interval, p_limit int)
returns table(office_id uuid, id uuid, endpoint text, p256dh text, auth text, language text, due_at timestamptz, tries int)
language plpgsql
volatile security definer
set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  due record;
  remaining int := p_limit;
  claimed int;
  right_now timestamptz;
  lease_end timestamptz;
begin
  for due in
    select f.office_id, array_agg(f.id order by f.due_at) as ids
    from (
      select s.office_id, s.id, s.due_at from push_subscription s
      where s.due_at <= p_now and (s.retry_at is null or s.retry_at <= p_now)
        and (s.lease_until is null or s.lease_until <= clock_timestamp())
      order by s.due_at limit p_limit * 4
    ) f
    group by f.office_id order by min(f.due_at)
  loop
    exit when remaining <= 0;
    right_now := clock_timestamp();
    lease_end := right_now + p_lease;
    return query
    with due_row as materialized (
      select d.id
      from unnest(due.ids) as wanted(id)
      cross join lateral (
        select l.id, l.due_at, l.lease_until, l.retry_at from push_subscription l
        where l.office_id = due.office_id and l.id = wanted.id offset 0 for update skip locked
      ) d
      where d.due_at <= p_now and (d.retry_at is null or d.retry_at <= p_now)
        and (d.lease_until is null or d.lease_until <= right_now)
      limit remaining
    )
    update push_subscription s
    set lease_until = lease_end, tries = s.tries + 1
    from due_row
    where s.office_id = due.office_id and s.id = due_row.id
    returning s.office_id, s.id, s.endpoint, s.p256dh, s.auth, s.language, s.due_at, s.tries;
    get diagnostics claimed = row_count;
    remaining := remaining - claimed;
  end loop;
end
$$;

-- As before; it asks one office after the other, because each may be on another machine. Most people have one.
create or replace function door_session(p_token_hash bytea, p_office text, p_now timestamptz)
returns table (
  session_id uuid, person_id uuid, kind text, created_at timestamptz, active_at timestamptz, expires_at timestamptz, locked_at timestamptz,
  person_name text, person_language text, office_id uuid, office_npi text, office_time_zone text, agreement_signed_at timestamptz, member_of int,
  token_expires_at timestamptz, proved_at timestamptz, second_step_due boolean, authenticator_missing boolean, lock_minutes int
)
language plpgsql stable security definer set search_path = pg_catalog, public, auth, pg_temp as $$
#variable_conflict use_column
declare
  authenticator_at timestamptz;
  offices uuid[];
  requires_authenticator boolean;
  an_office uuid;
  one record;
  member_since timestamptz;
  membership_id uuid;
begin
  select s.id, s.person_id, s.kind, s.created_at, s.active_at, s.expires_at, s.locked_at, p.name, p.language,
         -- A replaced token shows its own end, so that a panel that holds one comes to renew it.
         case when s.token_hash = p_token_hash then coalesce(s.token_expires_at, s.expires_at) else s.previous_until end,
         coalesce(s.proved_at, s.created_at),
         p.authenticator_at is not null and s.second_step_at is null, p.authenticator_at,
         array(select d.office_id from office_directory d where d.kind = 'person' and d.key = s.person_id::text)
  into session_id, person_id, kind, created_at, active_at, expires_at, locked_at, person_name, person_language,
       token_expires_at, proved_at, second_step_due, authenticator_at, offices
  from session s join person p on p.id = s.person_id
  where ((s.token_hash = p_token_hash and coalesce(s.token_expires_at, s.expires_at) > p_now)
      or (s.previous_token_hash = p_token_hash and s.previous_until > p_now))
    and s.ended_at is null and s.expires_at > p_now;
  if not found then return; end if;
  -- A session whose second step is due is locked.
  if second_step_due then locked_at := coalesce(locked_at, created_at); end if;

  if offices = '{}' then
    offices := array(select m.office_id from membership m where m.person_id = door_session.person_id);
  end if;
  member_of := 0;
  foreach an_office in array offices loop
    select m.created_at, m.id, o.npi, o.time_zone, o.agreement_signed_at, o.requires_authenticator, o.lock_minutes,
           p_office is null or o.id::text = p_office
           or exists (select 1 from office_npi n where n.office_id = an_office and n.npi = p_office) as is_asked
    into one
    from membership m join office o on o.id = m.office_id
    where m.office_id = an_office and m.person_id = door_session.person_id;
    continue when not found;
    member_of := member_of + 1;
    lock_minutes := least(lock_minutes, one.lock_minutes);
    if one.is_asked and (office_id is null or (one.created_at, one.id) < (member_since, membership_id)) then
      office_id := an_office;
      office_npi := one.npi;
      office_time_zone := one.time_zone;
      agreement_signed_at := one.agreement_signed_at;
      requires_authenticator := one.requires_authenticator;
      member_since := one.created_at;
      membership_id := one.id;
    end if;
  end loop;
  lock_minutes := coalesce(lock_minutes, 15);
  authenticator_missing := coalesce(requires_authenticator, false) and authenticator_at is null;
  return next;
end $$;

-- As before, and with the birth date as typed at check-in. The rows of a page are asked for by their ids.
create or replace function form_page(
  p_office uuid, p_filter text, p_type text, p_from date, p_to date, p_words text[], p_page int, p_size int, p_now timestamptz
) returns table (total int, items json)
language plpgsql volatile as $$
declare
  the_version bigint;
  kept_total int;
  page_bytes bytea;
  all_ids bytea;
  page_ids uuid[];
begin
  select coalesce(sum(d.version), 0)::bigint into the_version from form_day d
  where d.office_id = p_office and d.id between coalesce(p_from, '-infinity') and coalesce(p_to, 'infinity');

  select length(f.ids) / 16, substr(f.ids, (p_page - 1) * p_size * 16 + 1, p_size * 16) into kept_total, page_bytes
  from form_filter f where f.office_id = p_office and f.id = p_filter and f.version = the_version;

  if kept_total is null then
    select coalesce(string_agg(uuid_send(s.id), ''::bytea order by s.completed_at desc, s.id desc), '') into all_ids
    from form_submission s
    where s.office_id = p_office and s.state <> 'draft' and s.superseded_at is null
      and (p_type is null or s.form_type = p_type)
      and (p_from is null or s.day >= p_from)
      and (p_to is null or s.day <= p_to)
      and not exists (select from unnest(p_words) w where strpos(' ' || s.search_name, ' ' || w) = 0);
    delete from form_filter f where f.office_id = p_office
      and (f.kept_at < p_now - interval '1 day'
           or f.id in (select o.id from form_filter o where o.office_id = p_office order by o.kept_at desc offset 99));
    insert into form_filter as f (office_id, id, version, ids, kept_at) values (p_office, p_filter, the_version, all_ids, p_now)
    on conflict (office_id, id) do update set version = excluded.version, ids = excluded.ids, kept_at = excluded.kept_at;
    kept_total := length(all_ids) / 16;
    page_bytes := substr(all_ids, (p_page - 1) * p_size * 16 + 1, p_size * 16);
  end if;

  page_ids := array(
    select encode(substr(page_bytes, n * 16 + 1, 16), 'hex')::uuid from generate_series(0, length(page_bytes) / 16 - 1) n order by n
  );
  return query
  select kept_total, coalesce(json_agg(json_build_object(
    'id', s.id, 'objectKey', s.object_key, 'patientName', s.patient_name, 'completedAt', iso(s.completed_at), 'formType', s.form_type,
    'formName', s.form_name, 'outcome', s.outcome, 'state', s.state, 'bytes', s.bytes, 'visitId', s.visit_id, 'birthDate', m.birth_date
  ) order by array_position(page_ids, s.id)), '[]')
  from form_submission s
  join visit_member m on m.office_id = s.office_id and m.id = s.member_id
  where s.office_id = p_office and s.id = any (page_ids);
end $$;

-- The functions that find an office by a key, as before. Each office is asked by itself, because each may be on another machine; nearly every
-- key leads to one.
create or replace function door_visit_by_token(p_token_hash bytea, p_now timestamptz)
returns table (office_id uuid, visit_id uuid, token_id uuid, proved boolean, visit_proved boolean)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
  an_office uuid;
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'visit_link' and d.key = encode(p_token_hash, 'hex'));
  if offices = '{}' then
    offices := array(select t.office_id from visit_token t where t.token_hash = p_token_hash);
  end if;
  foreach an_office in array offices loop
    return query
    select t.office_id, t.visit_id, t.id, t.proved, v.proved_at is not null
    from visit_token t join visit v on v.office_id = t.office_id and v.id = t.visit_id
    where t.office_id = an_office and t.token_hash = p_token_hash and t.expires_at > p_now;
  end loop;
end $$;

create or replace function door_visitor_by_token(p_token_hash bytea, p_now timestamptz)
returns table (
  office_id uuid, visitor_id uuid, conversation_id uuid, seen_at timestamptz, left_at timestamptz, blocked_at timestamptz
)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
  an_office uuid;
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'visitor' and d.key = encode(p_token_hash, 'hex'));
  foreach an_office in array offices loop
    return query
    select v.office_id, v.id, v.conversation_id, v.seen_at, v.left_at, v.blocked_at
    from visitor v where v.office_id = an_office and v.token_hash = p_token_hash and v.expires_at > p_now;
  end loop;
end $$;

create or replace function door_episode_by_token(p_token_hash bytea, p_now timestamptz)
returns table (office_id uuid, episode_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
  an_office uuid;
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'episode_link' and d.key = encode(p_token_hash, 'hex'));
  foreach an_office in array offices loop
    return query
    select l.office_id, l.episode_id
    from episode_link l where l.office_id = an_office and l.token_hash = p_token_hash and l.expires_at > p_now;
  end loop;
end $$;

create or replace function door_invitation_by_token(p_token_hash bytea, p_now timestamptz)
returns table (office_id uuid, invitation_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
  an_office uuid;
begin
  offices := array(
    select d.office_id from auth.office_directory d where d.kind = 'invitation_link' and d.key = encode(p_token_hash, 'hex')
  );
  if offices = '{}' then
    offices := array(select i.office_id from invitation i where i.token_hash = p_token_hash);
  end if;
  foreach an_office in array offices loop
    return query
    select i.office_id, i.id from invitation i
    where i.office_id = an_office and i.token_hash = p_token_hash and i.state = 'open' and i.expires_at > p_now;
  end loop;
end $$;

create or replace function door_share_by_token(p_token_hash bytea)
returns table (office_id uuid, id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
  an_office uuid;
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'share_link' and d.key = encode(p_token_hash, 'hex'));
  if offices = '{}' then
    offices := array(select s.office_id from share_link s where s.token_hash = p_token_hash);
  end if;
  foreach an_office in array offices loop
    return query
    select s.office_id, s.id from share_link s where s.office_id = an_office and s.token_hash = p_token_hash;
  end loop;
end $$;

create or replace function door_agreement_by_request(p_provider text, p_request_id text)
returns table (office_id uuid, id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
  an_office uuid;
begin
  offices := array(
    select d.office_id from auth.office_directory d where d.kind = 'agreement' and d.key = p_provider || ' ' || p_request_id
  );
  if offices = '{}' then
    offices := array(select a.office_id from agreement a where a.provider = p_provider and a.request_id = p_request_id);
  end if;
  foreach an_office in array offices loop
    return query
    select a.office_id, a.id from agreement a
    where a.office_id = an_office and a.provider = p_provider and a.request_id = p_request_id;
  end loop;
end $$;

create or replace function door_office_by_npi(p_npi text) returns uuid
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'npi' and d.key = p_npi);
  if offices = '{}' then
    offices := array(select n.office_id from office_npi n where n.npi = p_npi);
  end if;
  if offices = '{}' then return null; end if;
  if cardinality(offices) = 1 then
    return (
      select n.office_id from office_npi n where n.office_id = offices[1] and n.npi = p_npi order by n.current desc, n.id limit 1
    );
  end if;
  return (
    select n.office_id from office_npi n
    where n.office_id = any (offices) and n.npi = p_npi order by n.current desc, n.id limit 1
  );
end $$;

create or replace function door_office_by_text_number(p_phone text) returns uuid
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'text_number' and d.key = p_phone);
  if offices = '{}' then
    offices := array(select o.id from office o where o.text_number = p_phone);
  end if;
  if offices = '{}' then return null; end if;
  if cardinality(offices) = 1 then
    return (select o.id from office o where o.id = offices[1] and o.text_number = p_phone);
  end if;
  return (select o.id from office o where o.id = any (offices) and o.text_number = p_phone order by o.id limit 1);
end $$;

create or replace function door_lock_minutes(p_person_id uuid) returns int
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'person' and d.key = p_person_id::text);
  if offices = '{}' then
    offices := array(select m.office_id from membership m where m.person_id = p_person_id);
  end if;
  if cardinality(offices) = 1 then
    return (
      select coalesce(min(o.lock_minutes), 15)::int
      from membership m join office o on o.id = m.office_id
      where m.office_id = offices[1] and m.person_id = p_person_id
    );
  end if;
  return (
    select coalesce(min(o.lock_minutes), 15)::int
    from membership m join office o on o.id = m.office_id
    where m.office_id = any (offices) and m.person_id = p_person_id
  );
end $$;

create or replace function door_offices_of(p_person uuid)
returns table (id uuid, npi text, name text, agreement_signed_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(select d.office_id from auth.office_directory d where d.kind = 'person' and d.key = p_person::text);
  if offices = '{}' then
    offices := array(select m.office_id from membership m where m.person_id = p_person);
  end if;
  if offices = '{}' then return; end if;
  if cardinality(offices) = 1 then
    return query
    select o.id, o.npi, o.name, o.agreement_signed_at
    from membership m join office o on o.id = m.office_id
    where m.office_id = offices[1] and m.person_id = p_person;
    return;
  end if;
  return query
  select o.id, o.npi, o.name, o.agreement_signed_at
  from membership m join office o on o.id = m.office_id
  where m.office_id = any (offices) and m.person_id = p_person order by m.created_at, m.id;
end $$;

create or replace function door_open_invitations(p_values text[], p_now timestamptz)
returns table (office_id uuid, id uuid, npi text, office_name text, invited_by_name text, kind text, value text, expires_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  offices uuid[];
begin
  offices := array(select distinct d.office_id from auth.office_directory d where d.kind = 'invited' and d.key = any (p_values));
  if offices = '{}' then
    offices := array(select distinct i.office_id from invitation i where i.value = any (p_values) and i.state = 'open');
  end if;
  if offices = '{}' then return; end if;
  if cardinality(offices) = 1 then
    return query
    select i.office_id, i.id, o.npi, o.name, i.invited_by_name, i.kind, i.value, i.expires_at
    from invitation i join office o on o.id = i.office_id
    where i.office_id = offices[1] and i.value = any (p_values) and i.state = 'open' and i.expires_at > p_now
    order by i.created_at, i.id limit 20;
    return;
  end if;
  return query
  select i.office_id, i.id, o.npi, o.name, i.invited_by_name, i.kind, i.value, i.expires_at
  from invitation i join office o on o.id = i.office_id
  where i.office_id = any (offices) and i.value = any (p_values) and i.state = 'open' and i.expires_at > p_now
  order by i.created_at, i.id limit 20;
end $$;

-- Which offices a person may belong to, from the directory alone: for a transaction that has written rows of an office already.
create function door_known_offices(p_person uuid) returns setof uuid
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.office_id from auth.office_directory d where d.kind = 'person' and d.key = p_person::text
$$;
grant create on schema public to anteroom_door;
alter function door_known_offices(uuid) owner to anteroom_door;
revoke all on function door_known_offices(uuid) from public;
grant execute on function door_known_offices(uuid) to anteroom_app;
revoke create on schema public from anteroom_door;
