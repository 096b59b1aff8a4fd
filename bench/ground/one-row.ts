import { sql } from 'kysely';
import { ms } from './report-lines.ts';
import type { BenchDatabase } from './open-ground.ts';

/** How a line names this baseline. */
export const besideOneRow = (p95: number) => `one plain row by its key, signed in, p95 ${ms(p95)}`;

/** Adds a text to the office and returns the call that reads it by its key: one SELECT of one table, without an audit entry. */
export async function oneRowPath({ owner }: BenchDatabase, officeId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into text (office_id, id, kind, from_phone, to_phone, body, state, send_at, created_at)
    values (${officeId}::uuid, gen_random_uuid(), 'message', '+13125550000', '+16465550000', 'Hello', 'delivered', now(), now())
    returning id`.execute(owner);
  return `/sms/outbox/${rows[0]?.id}/outcome`;
}
