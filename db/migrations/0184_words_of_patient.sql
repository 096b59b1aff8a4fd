-- A search of several words walks the patients and asks for each whether the patient has the word: answered by this index alone.
drop index patient_word_patient;
create index patient_word_patient on patient_word (office_id, patient_id, word);
