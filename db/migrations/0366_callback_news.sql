-- When a callback was raised or got another reason: what the panels ring for, and what they have told already.
alter table nurse_callback add column news_at timestamptz(3) not null default now();

-- An owner that is not a superuser is held by forced row-level security too.
alter table nurse_callback no force row level security;
update nurse_callback set news_at = raised_at;
alter table nurse_callback force row level security;
