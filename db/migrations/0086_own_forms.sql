-- An office takes its own questionnaires out of use and back again, version by version: a removed one is not offered any more.
-- What was begun or filed with it stays as it is.
alter table form_definition add column removed_at timestamptz(3);

create or replace view known_form with (security_invoker = true) as
select distinct on (office_id, type) office_id, id, type, version, name, own
from (
  select office_id, id, type, version, name, true as own from form_definition where removed_at is null
  union all
  select o.id, b.id, b.type, b.version, b.name, false from built_in_form b cross join office o
) f
order by office_id, type, own desc, version desc;
