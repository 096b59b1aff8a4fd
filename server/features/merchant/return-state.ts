import type { Env } from '#server/env.ts';
import { keyedHash, sameBytes } from '#server/kit/crypto/secret.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * What the provider gives back in the address of our return page: the application, signed. It opens nothing by itself; it says which
 * application of the caller's own office to look up.
 */
export function signReturnState(env: Pick<Env, 'secrets'>, officeId: string, applicationId: string): string {
  return `${applicationId}.${macOf(env, officeId, applicationId).toString('base64url')}`;
}

/** The application that a state names; null unless we signed it for this office. */
export function readReturnState(env: Pick<Env, 'secrets'>, officeId: string, state: string): string | null {
  const [id = '', mac = ''] = state.split('.');
  if (!uuid.test(id)) return null;
  return sameBytes(macOf(env, officeId, id), Buffer.from(mac, 'base64url')) ? id : null;
}

const macOf = ({ secrets }: Pick<Env, 'secrets'>, officeId: string, id: string) =>
  keyedHash(secrets.session, 'merchant return', officeId, id);
