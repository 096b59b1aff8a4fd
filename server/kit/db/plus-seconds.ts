import { sql, type RawBuilder } from 'kysely';

/**
 * A column's time plus seconds. In UTC, because PostgreSQL calls `timestamptz + interval` dependent on the session's time zone, and a
 * distributed PostgreSQL refuses that in an update.
 */
export const plusSeconds = (column: string, seconds: number): RawBuilder<Date> =>
  sql<Date>`((${sql.ref(column)} at time zone 'UTC' + make_interval(secs => ${seconds})) at time zone 'UTC')`;
