-- A first check-in that only typed a number may be a stranger's: a patient's birthday comes from a visit whose texted link was opened.
alter table patient no force row level security;
alter table visit no force row level security;
update patient p set birth_date = null
where p.birth_date is not null and not exists (
  select from visit v where v.office_id = p.office_id and v.patient_id = p.id and v.proved_at is not null
);
alter table patient force row level security;
alter table visit force row level security;
