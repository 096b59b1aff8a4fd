import type { Services, Caller } from '#server/context.ts';
import { isIdle } from '#server/session-lock.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';

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
  lock_minutes: number;
}

/**
 * Finds a token's session and its office: `named` (id or NPI), else the person's first. Null if nobody is signed in. Throws `too_many_tries`
 * if the address's network sent many tokens that nobody has.
 */
export async function findCaller(
  { pool, now, visitorPace }: Pick<Services, 'pool' | 'now' | 'visitorPace'>,
  { token, address }: { token: string; address: string },
  named: string | null,
): Promise<Caller | null> {
  await visitorPace.waitForSession(address, token);
  const at = now();
  const { rows } = await pool.query<Row>({
    name: 'door_session',
    text: 'select * from door_session($1, $2, $3)',
    values: [hashToken(token), named, at],
  });
  const row = rows[0];
  if (!row) {
    visitorPace.noteUnknownSession(address, token);
    return null;
  }
  visitorPace.noteSession(token);
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
    lockMinutes: row.lock_minutes,
    locked: row.locked_at !== null || isIdle({ kind: row.kind, activeAt: row.active_at }, row.lock_minutes, at),
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
