-- A card says which text its state is about and why it failed.
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
          group by n.place, n.type, n.visible_name, m.id, m.position, m.first_name, m.last_name
        ) w
        group by w.place, w.type, w.visible_name
      ) f
    ),
    'covid', coalesce(c.screened, false),
    'patientCovidWarning', coalesce(c.review, false),
    'updateRequired', false,
    'device', json_build_object('notificationsEnabled', v.phone_seen_at is not null),
    'paymentResponse', null
  ) as entry,
  v.arrived_at
from visit v
join office o on o.id = v.office_id
join patient p on p.office_id = v.office_id and p.id = v.patient_id
left join lateral (
  select t.id, t.state, t.error_class from text t
  where t.office_id = v.office_id and t.visit_id = v.id order by t.created_at desc, t.id desc limit 1
) t on true
left join lateral (
  select bool_or(s.outcome is not null) as screened, bool_or(s.outcome = 'review') as review
  from form_submission s where s.office_id = v.office_id and s.visit_id = v.id and s.superseded_at is null
) c on true;
grant select on queue_entry to anteroom_app;

-- Part 2's queue is who came: a visit that was expected and ended before anybody arrived is not in its History.
create or replace function queue_reply(
  p_token_hash bytea, p_office text, p_now timestamptz, p_idle interval, p_day date,
  p_cancelled boolean, p_doctor_cancelled boolean, p_etag text, p_request_id text
) returns table (status int, etag text, body text)
language plpgsql volatile as $$
declare
  caller record;
  the_day date;
  the_version bigint;
  answer text;
  today date;
begin
  select * into caller from door_caller(p_token_hash, p_office, p_now);
  if caller.session_id is null then return query select 401, null::text, null::text; return; end if;
  if caller.locked_at is not null or (caller.kind = 'cookie' and caller.active_at + p_idle <= p_now) then
    return query select 423, null::text, null::text; return;
  end if;
  if caller.office_id is null then
    return query select case when p_office is not null and caller.member_of > 0 then 404 else 403 end, 'no_office'::text, null::text; return;
  end if;
  if caller.agreement_signed_at is null then return query select 403, 'agreement_missing'::text, null::text; return; end if;
  if caller.authenticator_missing then return query select 403, 'authenticator_missing'::text, null::text; return; end if;

  perform set_config('app.office_id', caller.office_id::text, true);
  today := (p_now at time zone caller.office_time_zone)::date;
  the_day := coalesce(p_day, today);
  select q.version into the_version from queue_version q where q.office_id = caller.office_id and q.id = the_day;
  etag := format('"%s-%s-%s%s%s"', caller.office_id, the_day, coalesce(the_version, 0),
                 case when p_cancelled then 'c' else '' end, case when p_doctor_cancelled then 'd' else '' end);
  if etag = p_etag then return query select 304, etag, null::text; return; end if;

  insert into audit_entry (office_id, at, actor, actor_id, action, subject, request_id)
  values (caller.office_id, p_now, 'staff', caller.person_id, 'queue.read', the_day::text, p_request_id);

  if p_cancelled and p_doctor_cancelled and the_day = today then
    select a.body into answer from queue_answer a
    where a.office_id = caller.office_id and a.id = the_day and a.version = the_version;
  end if;
  if answer is null then
    select coalesce(json_agg(e.entry order by e.created_at, e.id), '[]')::text into answer
    from queue_entry e
    where e.office_id = caller.office_id and e.day = the_day and e.status <> 'EXPECTED' and e.arrived_at is not null
      and (p_cancelled or e.status <> 'PATIENT_CANCELLED')
      and (p_doctor_cancelled or e.status <> 'DOCTOR_CANCELLED');
    if p_cancelled and p_doctor_cancelled and the_day = today and the_version is not null then
      delete from queue_answer a where a.office_id = caller.office_id and a.id < today;
      insert into queue_answer as a (office_id, id, version, body) values (caller.office_id, the_day, the_version, answer)
      on conflict (office_id, id) do update set version = excluded.version, body = excluded.body where a.version < excluded.version;
    end if;
  end if;
  return query select 200, etag, answer;
end $$;

-- The answers kept so far lack the new fields.
-- An owner that is not a superuser is held by forced row-level security too.
alter table queue_answer no force row level security;
alter table queue_version no force row level security;
delete from queue_answer;
update queue_version set version = version + 1;
alter table queue_answer force row level security;
alter table queue_version force row level security;
