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
  token_expires_at: Date;
  proved_at: Date;
  second_step_due: boolean;
  authenticator_missing: boolean;
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
    tokenExpiresAt: row.token_expires_at,
    provedAt: row.proved_at,
    locked: row.locked_at !== null || isIdle({ kind: row.kind, activeAt: row.active_at }, at),
    secondStepDue: row.second_step_due,
    office: row.office_id
      ? {
          id: row.office_id,
          npi: row.office_npi,
          timeZone: row.office_time_zone,
          agreementSigned: row.agreement_signed_at !== null,
          authenticatorMissing: row.authenticator_missing,
        }
      : null,
    memberOf: row.member_of,
  };
}

/** Has nobody touched this panel for so long that it is locked? A program's token does not lock by itself. */
export function isIdle({ kind, activeAt }: { kind: string; activeAt: Date }, now: Date): boolean {
  return kind === 'cookie' && activeAt.getTime() + idleMs <= now.getTime();
}
