import type { House, Caller } from '#server/ctx.ts';
import { hashToken } from './secret.ts';

/** Minutes without real input after which a panel locks (settled.md). */
export const idleMs = 15 * 60_000;

interface Row {
  session_id: string;
  person_id: string;
  kind: 'cookie' | 'bearer';
  created_at: Date;
  active_at: Date;
  expires_at: Date;
  locked_at: Date | null;
  person_name: string;
  office_id: string | null;
  office_npi: string;
  office_time_zone: string;
  agreement_signed_at: Date | null;
  member_of: number;
}

/** Finds the session of a token and the office it is about: `named` (id or NPI), else the person's first. Null: nobody is signed in. */
export async function findCaller(
  { pool, now }: Pick<House, 'pool' | 'now'>,
  token: string,
  named: string | null,
): Promise<Caller | null> {
  const at = now();
  const { rows } = await pool.query<Row>({
    name: 'door_caller',
    text: 'select * from door_caller($1, $2, $3)',
    values: [hashToken(token), named, at],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    sessionId: row.session_id,
    personId: row.person_id,
    personName: row.person_name,
    kind: row.kind,
    createdAt: row.created_at,
    activeAt: row.active_at,
    expiresAt: row.expires_at,
    locked: row.locked_at !== null || (row.kind === 'cookie' && row.active_at.getTime() + idleMs <= at.getTime()),
    office: row.office_id
      ? {
          id: row.office_id,
          npi: row.office_npi,
          timeZone: row.office_time_zone,
          agreementSigned: row.agreement_signed_at !== null,
        }
      : null,
    memberOf: row.member_of,
  };
}
