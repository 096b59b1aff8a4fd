-- The number that patients call. It begins as the practice's number in the NPI registry, never as the one that texts.
alter table office add column phone text;

-- An owner that is not a superuser is held by forced row-level security too.
alter table office no force row level security;
update office o set phone = '+1' || a.phone
from nppes.address a
where a.npi = o.npi and a.phone ~ '^[2-9][0-9]{9}$' and '+1' || a.phone is distinct from o.text_number;
alter table office force row level security;
