-- Every unique key and foreign key of a table that belongs to an office contains office_id, so that a distributed PostgreSQL can keep
-- each office's rows together. The new indexes come first: building them blocks writes, and the rest is a change of the catalog.

create unique index visit_token_hash on visit_token (office_id, token_hash);
create unique index share_link_hash on share_link (office_id, token_hash);
create unique index invitation_hash on invitation (office_id, token_hash);
create unique index text_of_provider on text (office_id, provider_id) where provider_id is not null;
create unique index agreement_of_request on agreement (office_id, provider, request_id);

-- A look-up that does not know the office yet still has only the token or the provider's id.
create index visit_token_by_hash on visit_token (token_hash);
create index share_link_by_hash on share_link (token_hash);
create index invitation_by_hash on invitation (token_hash);
create index text_by_provider on text (provider_id) where provider_id is not null;
create index agreement_by_request on agreement (provider, request_id);

alter table visit_token drop constraint visit_token_token_hash_key;
alter table share_link drop constraint share_link_token_hash_key;
alter table invitation drop constraint invitation_token_hash_key;
drop index text_provider;
drop index agreement_request;

-- People, sessions and devices belong to no office. What removes a person removes their memberships first; a subscription to pushes may
-- name a session that is gone.
alter table membership drop constraint membership_person_id_fkey;
alter table invitation drop constraint invitation_invited_by_fkey;
alter table push_subscription
  drop constraint push_subscription_person_id_fkey,
  drop constraint push_subscription_session_id_fkey,
  drop constraint push_subscription_device_id_fkey;
alter table auth.registration drop constraint registration_office_id_fkey;
alter table auth.npi_claim drop constraint npi_claim_office_id_fkey;
