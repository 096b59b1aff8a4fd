-- The text that a link of an episode is in: one that still waits is canceled once it is replaced, or its link ends.
alter table episode_link add column text_id uuid;
-- Of the links that are there, the newest text is known.
alter table episode no force row level security;
alter table episode_link no force row level security;
update episode_link l set text_id = e.text_id
from episode e
where e.office_id = l.office_id and e.id = l.episode_id and not exists (
  select from episode_link newer
  where newer.office_id = l.office_id and newer.episode_id = l.episode_id and newer.created_at > l.created_at
);
alter table episode force row level security;
alter table episode_link force row level security;
