-- What a filed form's expressions could read about the visit (FHIR resources by name), so that the desk sees the questions that were asked.
-- Null: the form declares no launch context.
alter table form_submission add column launch_context jsonb;
