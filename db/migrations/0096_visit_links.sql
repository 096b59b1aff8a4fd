-- Links to visits: proved (texted to the visit's number) or not (handed to a browser that typed the number), and no longer
-- readable in the ledger of texts and in the conversation.

-- proved: the link was texted to the visit's number, so its holder reads that phone's texts.
alter table visit_token add column proved boolean not null default false;
-- When a proved link of this visit was first used. From then on unproved links show the status only.
alter table visit add column proved_at timestamptz(3);
-- The link that entered it. An unproved link sees nothing else.
alter table form_submission add column token_id uuid;
alter table form_file add column token_id uuid;
alter table share_link add column token_id uuid;

-- needs_link: {link} in the body stands for a link. Without it, the same characters are somebody's own words.
-- sealed_link: that link, encrypted with a key outside the database, until the text is settled. A held text may still be released.
alter table text
  add column needs_link boolean not null default false,
  add column sealed_link bytea,
  add constraint text_link_until_settled check (sealed_link is null or (needs_link and state in ('queued', 'sending', 'held')));

-- An owner that is not a superuser is held by forced row-level security too.
alter table text no force row level security;
alter table message no force row level security;
alter table visit no force row level security;
alter table visit_token no force row level security;
alter table form_submission no force row level security;
alter table form_file no force row level security;
alter table share_link no force row level security;

update visit_token t set proved = true
from (
  select office_id, sha256(convert_to(substring(body from '/(?:visit|c/t)/([A-Za-z0-9_-]{22,64})'), 'UTF8')) as token_hash
  from text where body ~ '/(visit|c/t)/[A-Za-z0-9_-]{22,64}'
) texted
where t.office_id = texted.office_id and t.token_hash = texted.token_hash;

-- Visits that are still open to links: what was entered belongs to the link that the check-in handed out. That a link was texted does
-- not say that it was used: whoever fills out a form on the check-in's link right now goes on. Of visits that are over for a day,
-- only texted links show what was entered.
update visit v set proved_at = now()
where v.day < current_date - 1 and exists (
  select from visit_token t where t.office_id = v.office_id and t.visit_id = v.id and t.proved and t.expires_at > now()
);
update form_submission s set token_id = t.id
from (
  select distinct on (office_id, visit_id) office_id, visit_id, id from visit_token where expires_at > now()
  order by office_id, visit_id, created_at
) t
where s.office_id = t.office_id and s.visit_id = t.visit_id;
update form_file f set token_id = t.id
from (
  select distinct on (office_id, visit_id) office_id, visit_id, id from visit_token where expires_at > now()
  order by office_id, visit_id, created_at
) t
where f.office_id = t.office_id and f.visit_id = t.visit_id;
update share_link s set token_id = t.id
from (
  select distinct on (office_id, visit_id) office_id, visit_id, id from visit_token where expires_at > now()
  order by office_id, visit_id, created_at
) t
where s.office_id = t.office_id and s.visit_id = t.visit_id;

-- Texts that may still leave keep their link in the body; it is removed when they are settled.
update text set body = regexp_replace(body, '(https?://[^\s/]+)?/(visit|c/t|join)/[A-Za-z0-9_-]{22,64}', '{link}', 'g')
where state not in ('queued', 'sending', 'held') and body ~ '/(visit|c/t|join)/[A-Za-z0-9_-]{22,64}';
update message set body = regexp_replace(body, '(https?://[^\s/]+)?/(visit|c/t|join)/[A-Za-z0-9_-]{22,64}', '{link}', 'g')
where body ~ '/(visit|c/t|join)/[A-Za-z0-9_-]{22,64}';

alter table text force row level security;
alter table message force row level security;
alter table visit force row level security;
alter table visit_token force row level security;
alter table form_submission force row level security;
alter table form_file force row level security;
alter table share_link force row level security;

-- Visit token: which visit a link opens, and how far it is trusted.
drop function door_visit_by_token(bytea, timestamptz);
create function door_visit_by_token(p_token_hash bytea, p_now timestamptz)
returns table (office_id uuid, visit_id uuid, token_id uuid, proved boolean, visit_proved boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.office_id, t.visit_id, t.id, t.proved, v.proved_at is not null
  from visit_token t join visit v on v.office_id = t.office_id and v.id = t.visit_id
  where t.token_hash = p_token_hash and t.expires_at > p_now
$$;

-- Job claims: as before, with the encrypted link.
drop function door_claim_texts(text, timestamptz, interval, int);
create function door_claim_texts(p_worker text, p_now timestamptz, p_lease interval, p_limit int)
returns table (
  office_id uuid, id uuid, from_phone text, to_phone text, body text, needs_link boolean, sealed_link bytea, send_at timestamptz,
  tries int, opted_out boolean
)
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update text t
  set state = 'sending', claimed_at = clock_timestamp(), lease_until = clock_timestamp() + p_lease, worker = p_worker, tries = t.tries + 1
  from (
    select d.office_id, d.id from text d
    where d.state = 'queued' and d.send_at <= p_now and (d.retry_at is null or d.retry_at <= p_now)
    order by d.send_at limit p_limit for update skip locked
  ) due
  where t.office_id = due.office_id and t.id = due.id
  returning t.office_id, t.id, t.from_phone, t.to_phone, t.body, t.needs_link, t.sealed_link, t.send_at, t.tries,
    t.kind <> 'notice' and exists (select from opt_out o where o.office_id = t.office_id and o.phone = t.to_phone)
$$;

grant create on schema public to anteroom_door;
do $$
declare f text;
begin
  foreach f in array array['door_visit_by_token(bytea, timestamptz)', 'door_claim_texts(text, timestamptz, interval, int)'] loop
    execute format('alter function %s owner to anteroom_door', f);
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to anteroom_app', f);
  end loop;
end $$;
revoke create on schema public from anteroom_door;
