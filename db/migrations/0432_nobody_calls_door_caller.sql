-- contracts: nothing since 0155 calls door_caller, which Citus refuses; door_session took its place.
drop function door_caller(bytea, text, timestamptz);
