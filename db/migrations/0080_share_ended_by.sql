-- Who took a shared link back: somebody of the office, or (null) the patient.
alter table share_link add revoked_by uuid;
