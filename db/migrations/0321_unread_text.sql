-- A queue entry says how the newest unread message begins.
create or replace view queue_entry with (security_invoker = true) as
select
  v.office_id,
  v.id,
  v.day,
  v.status,
  v.created_at,
  json_build_object(
    'id', v.id,
    'version', v.version,
    'npi', o.npi,
    'patient', v.first_name || ' ' || v.last_name,
    'patientUserCode', p.user_code,
    'patientName', v.first_name || ' ' || v.last_name,
    'username', v.phone,
    'statusCode', v.status,
    'statusBefore', v.status_before,
    'createdAt', iso(coalesce(v.arrived_at, v.created_at)),
    'statusAt', iso(v.status_at),
    'invitedAt', iso(v.invited_at),
    'endedAt', iso(v.ended_at),
    'endReason', v.end_reason,
    'endNote', v.end_note,
    'actedBy', json_build_object('kind', v.acted_by, 'name', v.acted_by_name),
    'autoInviteAt', case when v.status = 'WAITING' then iso(v.auto_invite_at) end,
    'stillWaitingAt', iso(v.still_waiting_at),
    'language', v.language,
    'activePatients', (
      select coalesce(json_agg(json_build_object('name', m.first_name || ' ' || m.last_name, 'birthDate', m.birth_date) order by m.position), '[]')
      from visit_member m where m.office_id = v.office_id and m.visit_id = v.id
    ),
    'messageCount', (select count(*) from message m where m.office_id = v.office_id and m.visit_id = v.id),
    'lastMessageState', t.state,
    'lastTextId', t.id,
    'lastTextProblem', t.error_class,
    'lastTextLimitedUntil', iso(t.limited_until),
    'textBlock', (select b.block from blocked_number b where b.office_id = v.office_id and b.phone = v.phone),
    'unreadMessages', coalesce(r.unread, 0),
    'unreadText', r.words,
    'forms', (
      select coalesce(json_agg(json_build_object(
        'indicator', f.type,
        'formName', f.name,
        'visibleName', json_build_object('en', f.name, 'es', coalesce(f.visible_name ->> 'es', f.name)),
        'complete', f.done = f.needed,
        'incomplete', f.done < f.needed,
        'enablePendingIndicator', f.done < f.needed,
        'incompleteMessage', case when f.done < f.needed then 'Missing for ' || f.missing_names else '' end,
        'completeMessage', case when f.done < f.needed then '' when f.review then 'Review' when f.screened then 'Clear' else 'Complete' end,
        'needed', f.needed,
        'done', f.done,
        'started', f.started,
        'missing', f.missing,
        'outcome', case when f.review then 'review' when f.screened then 'clear' end
      ) order by f.place), '[]')
      from (
        select w.place, w.type, w.visible_name, coalesce(w.visible_name ->> 'en', w.type) as name,
          count(*) as needed,
          count(*) filter (where w.done) as done,
          count(*) filter (where w.started and not w.done) as started,
          coalesce(json_agg(w.member order by w.position) filter (where not w.done), '[]') as missing,
          string_agg(w.member, ', ' order by w.position) filter (where not w.done) as missing_names,
          bool_or(w.review) as review,
          bool_or(w.screened) as screened
        from (
          select n.place, n.type, n.visible_name, m.position, m.first_name || ' ' || m.last_name as member,
            coalesce(bool_or(s.state <> 'draft'), false) as done,
            coalesce(bool_or(s.state = 'draft'), false) as started,
            coalesce(bool_or(s.outcome = 'review'), false) as review,
            coalesce(bool_or(s.outcome is not null), false) as screened
          from forms_wanted(o.settings) n
          join visit_member m on m.office_id = v.office_id and m.visit_id = v.id
          left join form_submission s on s.office_id = v.office_id and s.visit_id = v.id and s.member_id = m.id
            and s.form_type = n.type and s.superseded_at is null
          where o.confirmed_at is not null or not exists (
            select from form_definition d where d.office_id = v.office_id and d.type = n.type and d.removed_at is null
          )
          group by n.place, n.type, n.visible_name, m.id, m.position, m.first_name, m.last_name
        ) w
        group by w.place, w.type, w.visible_name
      ) f
    ),
    'covid', coalesce(c.screened, false),
    'patientCovidWarning', coalesce(c.review, false),
    'updateRequired', false,
    'device', json_build_object('notificationsEnabled', v.phone_seen_at is not null),
    'paymentResponse', (
      select json_build_object(
        'state', case y.state when 'REQUESTED' then 'PENDING' else y.state end,
        'amount', y.amount_cents,
        'chargeId', y.id,
        'transferId', y.transfer_id,
        'requested', y.state = 'REQUESTED',
        'refunded', y.refunded_cents,
        'recording', coalesce((
          select case when bool_or(g.state = 'refused') then 'missing' when bool_or(g.state = 'unknown') then 'unknown'
            when bool_or(g.state in ('due', 'sending')) then 'waiting' when bool_or(g.state = 'recorded') then 'recorded' end
          from payment_recording g where g.office_id = y.office_id and g.payment_id = y.id
        ), 'none')
      )
      from payment y where y.office_id = v.office_id and y.visit_id = v.id
      order by y.created_at desc, y.id desc limit 1
    )
  ) as entry,
  v.arrived_at
from visit v
join office o on o.id = v.office_id
join patient p on p.office_id = v.office_id and p.id = v.patient_id
left join lateral (
  select t.id, t.state, t.error_class, t.limited_until from text t
  where t.office_id = v.office_id and t.visit_id = v.id order by t.created_at desc, t.id desc limit 1
) t on true
left join lateral (
  select bool_or(s.outcome is not null) as screened, bool_or(s.outcome = 'review') as review
  from form_submission s where s.office_id = v.office_id and s.visit_id = v.id and s.superseded_at is null
) c on true
-- What the desk has read is the conversation's; only where something is unread are the visit's messages counted.
left join lateral (
  select count(*) as unread,
    nullif(left(btrim(regexp_replace((array_agg(m.body order by m.sequence desc))[1], '\s+', ' ', 'g')), 80), '') as words
  from conversation k
  join message m on m.office_id = k.office_id and m.conversation_id = k.id
    and m.visit_id = v.id and m.sender = 'patient' and m.sequence > k.read_sequence
  where k.office_id = v.office_id and k.phone = v.phone and k.channel = 'text' and k.unread > 0
) r on true;

-- The stored answers lack the new field.
alter table queue_answer no force row level security;
alter table queue_version no force row level security;
delete from queue_answer;
update queue_version set version = version + 1;
alter table queue_answer force row level security;
alter table queue_version force row level security;
