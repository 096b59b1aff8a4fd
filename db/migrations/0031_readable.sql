-- The words of the document beside its PDF, for the signing page of the local provider.
alter table esign.request add column readable jsonb not null default '[]';
