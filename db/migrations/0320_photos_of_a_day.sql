-- How many bytes of photos a practice's patients have sent in a day.
create index episode_file_photos on episode_file (office_id, created_at) include (bytes) where kind <> 'pdf';
