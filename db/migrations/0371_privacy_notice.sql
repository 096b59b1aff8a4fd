-- Where a practice has its own Notice of Privacy Practices on the web. The built-in consent links it; null: the front desk hands it out.
alter table office add column privacy_notice_url text
  check (privacy_notice_url like 'https://%' and length(privacy_notice_url) <= 500);
