-- Locations can share an NPI, and `/c/{npi}` is the page of one of them: the others have a number of their own for it.
alter table office add column check_in_npi text;
