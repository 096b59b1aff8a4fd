-- The commonest words that begin with two, three or four letters, without reading all of them. From the fifth letter on there are few.
create index word_begins_2 on nppes.word (left(word, 2), addresses desc);
create index word_begins_3 on nppes.word (left(word, 3), addresses desc);
create index word_begins_4 on nppes.word (left(word, 4), addresses desc);
