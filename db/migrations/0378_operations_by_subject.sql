-- The last operation on a subject, such as the sending of a form, is read whenever the desk opens it.
create index provider_operation_subject on provider_operation (office_id, subject, started_at desc);
