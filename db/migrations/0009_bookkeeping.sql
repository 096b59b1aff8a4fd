-- The app has no business in the migrations' own bookkeeping.
revoke all on schema_migration, kysely_migration_lock from anteroom_app;
