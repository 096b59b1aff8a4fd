-- How often the email about a request failed. It is not retried forever.
alter table feature_request add column mail_tries int not null default 0;
