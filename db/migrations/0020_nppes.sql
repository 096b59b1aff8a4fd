-- Where practices are: public data of no office, replaced whole by each import (docs/decisions/0010-address-search.md).
-- The import builds a second schema with these tables and these indexes, and swaps it for this one.
create schema nppes;

-- In this order on disk: short names first, so that a search which stops early has seen the closest ones.
create table nppes.address (
  npi text collate "C" not null,
  name text not null,
  other_name text,
  address_line1 text not null,
  address_line2 text,
  city text not null,
  state text not null,
  zip text not null,
  -- Spelled alike, abbreviations too: the name; street, city, state, ZIP; each word of all fields once.
  name_words text collate "C" not null,
  place_words text collate "C" not null,
  words text collate "C" not null
);
create unique index address_npi on nppes.address (npi);
create index address_name on nppes.address (name_words);
create index address_place on nppes.address (place_words);
create index address_words on nppes.address using gin (array_to_tsvector(string_to_array(words, ' ')));

-- Every word there is, in how many addresses, and the ways to write it with one letter missing.
create table nppes.word (
  word text collate "C" not null,
  addresses int not null,
  misspelt tsvector
);
create unique index word_word on nppes.word (word);
create index word_misspelt on nppes.word using gin (misspelt);

grant usage on schema nppes to anteroom_app;
grant select on all tables in schema nppes to anteroom_app;

-- The planner cannot know how common the asked words are, and would sometimes read the whole table for them.
create function addresses_with(asked tsquery, at_most int)
returns table (
  npi text, name text, other_name text, address_line1 text, address_line2 text, city text, state text, zip text,
  name_words text, place_words text, words text
)
language plpgsql stable
set enable_seqscan = off
set enable_indexscan = off
set work_mem = '32MB'
as $$
begin
  return query
  select a.npi, a.name, a.other_name, a.address_line1, a.address_line2, a.city, a.state, a.zip,
         a.name_words, a.place_words, a.words
  from nppes.address a
  where array_to_tsvector(string_to_array(a.words, ' ')) @@ asked
  limit at_most;
end
$$;

-- An import on its way. Unlogged: after a crash of the database all of it is gone together, and the file is read from its beginning.
create schema nppes_import;
create unlogged table nppes_import.staged (like nppes.address);
create unlogged table nppes_import.progress (
  file text not null,
  bytes int8 not null,
  records int8 not null,
  kept int8 not null
);
create table nppes_import.done (
  id int8 generated always as identity primary key,
  file text not null,
  name text not null,
  addresses int8 not null,
  imported_at timestamptz(3) not null
);
