-- Whether a texted picture counted towards the limit of its sender: one that waits for the practice's limit counts once.
alter table incoming_picture add column counted boolean not null default false;
