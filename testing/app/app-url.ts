import { createHash } from 'node:crypto';
import { appRole } from '#server/kit/db/app-login.ts';

/** The app's login to the database of an owner's URL. Opening the PostgreSQL server sets its password first. */
export function appUrlOf(ownerUrl: string): string {
  const password = process.env.TEST_APP_PASSWORD;
  if (!password)
    throw new Error('TEST_APP_PASSWORD is not set: testing/app/postgres.ts or bench/ground/open-ground.ts did not run');
  return Object.assign(new URL(ownerUrl), { username: appRole, password }).toString();
}

/** Sets the password: the embedded server generated one; on an external server roles outlive a run, so every run must use the same. */
export function setAppPassword(embedded: { appUrl: string } | null, serverUrl: string): void {
  process.env.TEST_APP_PASSWORD = embedded
    ? new URL(embedded.appUrl).password
    : createHash('sha256').update(`anteroom tests ${serverUrl}`).digest('base64url');
}
