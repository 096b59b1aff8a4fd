/**
 * Run in the folder of an older version, with its code: brings the empty database of MIGRATE_DATABASE_URL to that version's schema, adds
 * offices with visits and prints them as JSON.
 */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { addOffices } from '#bench/ground/offices.ts';
import { readEnv } from '#server/env.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import { openDb, openOwnerPool } from '#server/kit/db/db.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import { openServices } from '#server/open-app.ts';

const { MIGRATE_DATABASE_URL: url = '', DATABASE_URL: appUrl = '', OFFICES: count, VISITS: visits } = process.env;
await migrate(url, appUrl);
const services = openServices(readEnv(process.env), appUrl, pino({ level: 'error' }));
const owner = openDb(openOwnerPool(url));
const session = async (personId: string) => {
  const token = newToken();
  const at = new Date();
  const expiresAt = new Date(at.getTime() + 43_200_000);
  const row = {
    personId,
    tokenHash: hashToken(token),
    kind: 'bearer' as const,
    createdAt: at,
    activeAt: at,
    expiresAt,
  };
  await owner
    .insertInto('auth.session')
    .values({ id: randomUUID(), ...row })
    .execute();
  return token;
};
// The ground of the version that runs this may have more; its offices need these.
const ground = { owner, services, session } as unknown as Parameters<typeof addOffices>[0];
process.stdout.write(JSON.stringify(await addOffices(ground, Number(count), Number(visits))));
await services.live.close();
await services.db.destroy();
await owner.destroy();
