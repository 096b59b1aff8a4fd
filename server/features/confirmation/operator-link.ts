import type { Services } from '#server/context.ts';
import { keyedHash, sameBytes } from '#server/kit/crypto/secret.ts';

/** What a signed URL of the operator's page permits: viewing the list, or confirming one practice. */
type Use = 'list' | `confirm ${string}`;

/** A permission's expiry and signature, for a query string. Only this installation can create one. */
export function signPermission({ env, now }: Pick<Services, 'env' | 'now'>, use: Use, seconds: number): string {
  const until = String(Math.floor(now().getTime() / 1000) + seconds);
  return `until=${until}&mac=${macOf(env, use, until).toString('base64url')}`;
}

export function isPermitted({ env, now }: Pick<Services, 'env' | 'now'>, use: Use, query: unknown): boolean {
  const { until, mac } = (query ?? {}) as { until?: unknown; mac?: unknown };
  if (typeof until !== 'string' || typeof mac !== 'string' || !/^\d{1,12}$/.test(until)) return false;
  return sameBytes(macOf(env, use, until), Buffer.from(mac, 'base64url')) && Number(until) * 1000 > now().getTime();
}

const macOf = ({ secrets }: Services['env'], use: Use, until: string) =>
  keyedHash(secrets.session, 'operator page', use, until);

export const operatorPagePath = '/operator/practices';
/** Long enough for a holiday weekend. */
const linkSeconds = 7 * 86_400;

/** The link in the operator's email. */
export const operatorPageUrl = (services: Pick<Services, 'env' | 'now'>) =>
  `${services.env.publicUrl}${operatorPagePath}?${signPermission(services, 'list', linkSeconds)}`;
