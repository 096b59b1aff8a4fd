-- What a submitted survey's expressions could read about the patient (FHIR resources by name), as for a filed form.
-- Null: the survey declares no launch context.
alter table survey add column launch_context jsonb;
