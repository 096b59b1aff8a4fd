-- One row of the queue as the API answers it (contract/queue.ts QueueEntry): its only home.

-- Stable like to_char, so that the planner can put it in place.
create function iso(t timestamptz) returns text language sql stable parallel safe as
$$ select to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

create view queue_entry with (security_invoker = true) as
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
    'lastMessageState', (
      select t.state from text t where t.office_id = v.office_id and t.visit_id = v.id order by t.created_at desc, t.id desc limit 1
    ),
    'forms', '[]'::json,
    'covid', false,
    'patientCovidWarning', false,
    'updateRequired', false,
    'device', json_build_object('notificationsEnabled', v.phone_seen_at is not null),
    'paymentResponse', null
  ) as entry
from visit v
join office o on o.id = v.office_id
join patient p on p.office_id = v.office_id and p.id = v.patient_id;

grant select on queue_entry to anteroom_app;
