-- The telephone number of the practice location, ten digits: a new practice is confirmed by a code texted to it. Filled by the next import.
alter table nppes.address add column phone text;
alter table nppes_import.staged add column phone text;
