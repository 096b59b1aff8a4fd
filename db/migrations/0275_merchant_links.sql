-- Whoever opened the hosted form could fill it in for the link's hour, also after they were removed from the practice. Removing a colleague
-- ends the links, and the members learn of a submission and who opened the form.
alter table merchant_application
  -- Who made links to the form, by name and the address or number that the practice knows.
  add column opened_by text[] not null default '{}',
  -- Since when the links made before have to end at the provider; null once they ended.
  add column links_end_at timestamptz(3),
  -- The addresses that are still to be told that the form was submitted.
  add column notice_to text[] not null default '{}',
  add column notice_tries int not null default 0;
