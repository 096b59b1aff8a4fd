-- Copays. A payment is one attempt to charge one amount; its row is the operation: claimed and committed before the payment provider is
-- called, with its id as the provider's idempotency id. After a failed one the patient's next try is a new row.
create table payment (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  visit_id uuid not null,
  patient_name text not null,
  copay_cents int not null check (copay_cents >= 0),
  claims_cents int not null default 0 check (claims_cents >= 0),
  amount_cents int not null check (amount_cents = copay_cents + claims_cents and amount_cents > 0),
  state text not null check (state in ('REQUESTED', 'PENDING', 'SUCCEEDED', 'CANCELLED', 'FAILED', 'UNKNOWN')),
  -- The filter of the list.
  status text not null generated always as (
    case when state = 'SUCCEEDED' then 'successful' when state in ('CANCELLED', 'FAILED') then 'canceled' else 'pending' end
  ) stored,
  provider text not null,
  -- The office's payment identity when it was requested.
  merchant text not null,
  requested_by text,
  created_at timestamptz(3) not null,
  -- What the card form gave for the card; only while the charge may still have to be sent.
  source text,
  claimed_at timestamptz(3),
  settled_at timestamptz(3),
  transfer_id text,
  card_brand text,
  card_last4 text,
  failure text,
  ended_by text,
  end_reason text,
  -- The sum of its successful refunds.
  refunded_cents int not null default 0 check (refunded_cents between 0 and amount_cents),
  -- When the provider is asked what became of it.
  check_at timestamptz(3),
  checks int not null default 0,
  primary key (office_id, id),
  foreign key (office_id, visit_id) references visit (office_id, id) on delete cascade
);
-- Never two at once for one visit: an unknown one has to be resolved before the next.
create unique index payment_open on payment (office_id, visit_id) where state in ('REQUESTED', 'PENDING', 'UNKNOWN');
create index payment_of_visit on payment (office_id, visit_id, created_at);
create index payment_by_time on payment (office_id, created_at, id);
create index payment_by_status on payment (office_id, status, created_at, id);
create index payment_unknown on payment (office_id, created_at) where state = 'UNKNOWN';
create index payment_check on payment (check_at) where check_at is not null;

create table payment_refund (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('refund', 'void')),
  amount_cents int not null check (amount_cents > 0),
  reason text not null,
  requested_by text,
  state text not null check (state in ('PENDING', 'SUCCEEDED', 'FAILED', 'UNKNOWN')),
  created_at timestamptz(3) not null,
  settled_at timestamptz(3),
  transfer_id text,
  failure text,
  check_at timestamptz(3),
  checks int not null default 0,
  primary key (office_id, id),
  foreign key (office_id, payment_id) references payment (office_id, id) on delete cascade
);
create index payment_refund_of on payment_refund (office_id, payment_id);
create index payment_refund_unknown on payment_refund (office_id, created_at) where state = 'UNKNOWN';
create index payment_refund_check on payment_refund (check_at) where check_at is not null;

-- The ledger: one row for each amount that moved, written with the move. Charged minus refunded is the sum of an office's rows.
create table money_entry (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  payment_id uuid not null,
  -- Null for the charge itself.
  refund_id uuid,
  -- Negative for a refund.
  amount_cents int not null check (amount_cents <> 0 and (amount_cents < 0) = (refund_id is not null)),
  card_brand text,
  at timestamptz(3) not null,
  -- The office's day.
  day date not null,
  primary key (office_id, id),
  foreign key (office_id, payment_id) references payment (office_id, id) on delete cascade,
  foreign key (office_id, refund_id) references payment_refund (office_id, id) on delete cascade
);
create unique index money_entry_charge on money_entry (office_id, payment_id) where refund_id is null;
create unique index money_entry_refund on money_entry (office_id, refund_id) where refund_id is not null;
create index money_entry_of_payment on money_entry (office_id, payment_id);
create index money_entry_day on money_entry (office_id, day);

-- What is entered in the practice software: one row for the copay and one for the claims of a payment. That software is not idempotent, so
-- a row is claimed before the call, and one whose outcome nobody knows waits for a person.
create table payment_recording (
  office_id uuid not null references office on delete cascade,
  id uuid not null,
  payment_id uuid not null,
  part text not null check (part in ('copay', 'claims')),
  amount_cents int not null check (amount_cents > 0),
  state text not null check (state in ('due', 'sending', 'recorded', 'refused', 'unknown')),
  problem text,
  tries int not null default 0,
  created_at timestamptz(3) not null,
  recorded_at timestamptz(3),
  record_id text,
  -- When it is due, or when whoever claimed it has surely ended.
  check_at timestamptz(3),
  primary key (office_id, id),
  unique (office_id, payment_id, part),
  foreign key (office_id, payment_id) references payment (office_id, id) on delete cascade
);
create index payment_recording_unknown on payment_recording (office_id, created_at) where state = 'unknown';
create index payment_recording_check on payment_recording (check_at) where check_at is not null;

do $$
declare t text;
begin
  foreach t in array array['payment', 'payment_refund', 'money_entry', 'payment_recording'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_office on %I for all to public using (office_id = current_office()) with check (office_id = current_office())', t);
    execute format('grant select, insert, update, delete on %I to anteroom_app', t);
  end loop;
  foreach t in array array['payment', 'payment_refund', 'payment_recording'] loop
    execute format('grant select on %I to anteroom_door', t);
    execute format('create policy door on %I for select to anteroom_door using (true)', t);
  end loop;
end $$;

-- Job claims: what has to be looked at again, the longest due first.
create function door_due_payments(p_now timestamptz, p_limit int)
returns table (office_id uuid, id uuid, kind text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.office_id, d.id, d.kind from (
    (select p.office_id, p.id, 'payment' as kind, p.check_at from payment p where p.check_at <= p_now order by p.check_at limit p_limit)
    union all
    (select r.office_id, r.id, 'refund', r.check_at from payment_refund r where r.check_at <= p_now order by r.check_at limit p_limit)
    union all
    (select g.office_id, g.id, 'recording', g.check_at from payment_recording g where g.check_at <= p_now order by g.check_at limit p_limit)
  ) d order by d.check_at limit p_limit
$$;
grant create on schema public to anteroom_door;
alter function door_due_payments(timestamptz, int) owner to anteroom_door;
revoke all on function door_due_payments(timestamptz, int) from public;
grant execute on function door_due_payments(timestamptz, int) to anteroom_app;
revoke create on schema public from anteroom_door;

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
    'optedOut', exists (select from opt_out n where n.office_id = v.office_id and n.phone = v.phone),
    'isLandline', exists (select from landline l where l.office_id = v.office_id and l.phone = v.phone),
    'unreadMessages', coalesce(r.unread, 0),
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
          select case when bool_and(g.state = 'recorded') then 'recorded'
            when bool_or(g.state in ('refused', 'unknown')) then 'missing' else 'waiting' end
          from payment_recording g
          where g.office_id = y.office_id and g.payment_id = y.id and y.state = 'SUCCEEDED' having count(*) > 0
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
  select count(*) as unread
  from conversation k
  join message m on m.office_id = k.office_id and m.conversation_id = k.id
    and m.visit_id = v.id and m.sender = 'patient' and m.sequence > k.read_sequence
  where k.office_id = v.office_id and k.phone = v.phone and k.channel = 'text' and k.unread > 0
) r on true;

-- The stored answers lack the payments.
-- An owner that is not a superuser is held by forced row-level security too.
alter table queue_answer no force row level security;
alter table queue_version no force row level security;
delete from queue_answer;
update queue_version set version = version + 1;
alter table queue_answer force row level security;
alter table queue_version force row level security;
