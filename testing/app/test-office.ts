import type { Services } from '#server/context.ts';
import { addOffice, addStaff, type NewOffice } from '#server/features/office/index.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import { newSessionToken } from '#server/kit/crypto/session-token.ts';
import type { Db } from '#server/kit/db/db.ts';

/** A practice in a test: its id, and one of its members, signed in with a bearer token. */
export interface TestOffice {
  id: string;
  npi: string;
  token: string;
  personId: string;
  staffName: string;
}

export type OfficeToAdd = Partial<NewOffice> & { signed?: boolean; staffName?: string };

let npis = 0;

/** Adds a practice with one member, who is signed in. */
export async function addTestOffice(owner: Db, services: Services, row: OfficeToAdd = {}): Promise<TestOffice> {
  const { signed = true, staffName = 'Dana Whitlock', ...rest } = row;
  const npi = rest.npi ?? String(2_100_000_000 + ++npis);
  const id = await addOffice(owner, services, {
    npi,
    name: 'Maple Street Pediatrics',
    addressLine1: '48 Maple Street',
    city: 'Brooklyn',
    state: 'NY',
    zip: '11201',
    timeZone: 'America/New_York',
    email: `front-${npi}@maple.test`,
    emr: 'N/A',
    textNumber: `+1212556${npi.slice(-4)}`,
    agreementSignedAt: signed ? new Date(services.now().getTime() - 86_400_000) : null,
    ...rest,
  });
  const personId = await addStaff(owner, services, { name: staffName, email: `staff-${npi}@maple.test` }, [id]);
  return { id, npi, token: await addSession(owner, services, personId), personId, staffName };
}

/** Creates a session directly, for tests that are not about signing in; it outlives every clock they set. */
export async function addSession(owner: Db, { env, id, now }: Services, personId: string): Promise<string> {
  const at = now();
  const expiresAt = new Date(at.getTime() + 4_000 * 86_400_000);
  const token = newSessionToken(env.secrets.session, expiresAt);
  await owner
    .insertInto('auth.session')
    .values({
      id: id(),
      personId,
      tokenHash: hashToken(token),
      kind: 'bearer',
      createdAt: at,
      activeAt: at,
      expiresAt,
    })
    .execute();
  return token;
}
