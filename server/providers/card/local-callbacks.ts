import type { Services } from '#server/context.ts';
import { isSigned, signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { advanceDue, forgetUsed } from './local-accounts.ts';
import { claimDueEvents, setReported } from './local-sql.ts';
import { CardSignatureInvalid, type Card, type CardEvent } from './port.ts';

/** Calls our own callback route and returns its HTTP status. */
export type Post = (path: string, headers: Record<string, string>, body: string) => Promise<number>;
type Provider = Pick<Services, 'db' | 'env' | 'id' | 'now'>;

const batch = 50;
const tryAgainMs = 5_000;
const givesUpAfterMs = 3 * 86_400_000;

/** The local provider's jobs: renewals and retries when they are due, and each event as a signed call until it is acknowledged. */
export function startLocalCard(services: Provider & Pick<Services, 'log'>, post: Post = postTo(services)): Job[] {
  return [
    runJob('local-card-events', 500, services.log, () => sendDueCardEvents(services, post)),
    runJob('local-card-time', 60_000, services.log, () => advanceDue(services)),
    runJob('local-card-cleanup', 3_600_000, services.log, () => forgetUsed(services)),
  ];
}

/** Sends the callbacks that are due; true if more may be due. Two processes never send the same event at once. */
export async function sendDueCardEvents(services: Provider, post: Post): Promise<boolean> {
  const now = services.now();
  const retryAt = new Date(now.getTime() + tryAgainMs);
  const due = await claimDueEvents(services.db, { now, retryAt, most: batch });
  await Promise.all(
    due.map(async (event) => {
      const status = await sendCardEvent(services, post, event).catch(() => 0);
      const gaveUp = event.at.getTime() < now.getTime() - givesUpAfterMs;
      if (status !== 200 && !gaveUp) return; // retried when its five seconds are over
      await setReported(services.db, event.id);
    }),
  );
  return due.length === batch;
}

/** Signs and sends the callback of one event. */
export function sendCardEvent(
  { env, now }: Pick<Services, 'env' | 'now'>,
  post: Post,
  event: { id: string; type: string; customerId: string },
): Promise<number> {
  const body = JSON.stringify({ key: event.id, type: event.type, customerId: event.customerId });
  const headers = { 'content-type': 'application/json', [signatureHeader]: signBody(env.secrets.webhook, body, now()) };
  return post('/api/local/card-events', headers, body);
}

/** Over HTTP to this process, as a vendor would call us. */
function postTo({ env }: Pick<Services, 'env'>): Post {
  const host = env.host === '0.0.0.0' || env.host === '::' ? '127.0.0.1' : env.host;
  return async (path, headers, body) => {
    const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${env.port}${path}`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(10_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
}

/** Verifies a callback that `sendCardEvent` made. */
export function readCardCallback(
  { env, now }: Pick<Services, 'env' | 'now'>,
  { headers, rawBody }: Parameters<Card['readCallback']>[0],
): CardEvent | null {
  const signature = headers[signatureHeader];
  if (!isSigned(env.secrets.webhook, typeof signature === 'string' ? signature : undefined, rawBody, now()))
    throw new CardSignatureInvalid();
  try {
    const { key, type, customerId } = JSON.parse(rawBody.toString('utf8')) as Record<string, unknown>;
    if (typeof key !== 'string' || typeof type !== 'string' || typeof customerId !== 'string') return null;
    return { key: key.slice(0, 200), type: type.slice(0, 60), customerId };
  } catch {
    return null;
  }
}
